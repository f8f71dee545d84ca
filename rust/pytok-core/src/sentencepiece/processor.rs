//! A compiled `.model` file and what can be asked about its vocabulary.

use super::SPACE_MARK;
use super::bpe::Bpe;
use super::normalizer::Normalizer;
use super::piece_rules::PieceRules;
use super::proto::{self, NormalizerSpec, TrainerSpec};
use super::unigram::Unigram;
use super::user_symbols::UserSymbols;
use super::vocabulary::{PieceKind, Vocabulary, parse_byte};
use crate::error::{Error, Result};
use crate::ids::offset;

/// What a decoded unknown piece looks like unless the model says otherwise.
const UNKNOWN_SURFACE: &str = " \u{2047} ";

/// A compiled, immutable SentencePiece model.
///
/// # Examples
/// ```
/// use pytok_core::sentencepiece::{SentencePiece, SentencePieceScratch};
///
/// // The smallest character model: `<unk>` (kind 2), `▁` and `a`.
/// let file = b"\x0a\x09\x0a\x05<unk>\x18\x02\x0a\x05\x0a\x03\xe2\x96\x81\x0a\x03\x0a\x01a\x12\x02\x18\x04";
/// let model = SentencePiece::compile(file)?;
/// let (mut scratch, mut tokens) = (SentencePieceScratch::default(), Vec::new());
/// model.encode(" a b", &mut scratch, &mut tokens)?;
/// let ids: Vec<u32> = tokens.iter().map(|token| token.id).collect();
/// assert_eq!(ids, [1, 2, 1, 0]);
/// assert_eq!((tokens[1].start, tokens[1].end), (1, 2));
/// assert_eq!(model.token_piece(&tokens[3], &scratch), Some("b"));
/// assert_eq!(model.decode(&ids)?, "a  \u{2047} ");
/// # Ok::<(), pytok_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SentencePiece {
    pub(super) vocabulary: Vocabulary,
    pub(super) algorithm: Algorithm,
    pub(super) normalizer: Normalizer,
    pub(super) denormalizer: Option<Normalizer>,
    pub(super) user_symbols: Option<UserSymbols>,
    pub(super) unknown_surface: String,
    pub(super) piece_rules: PieceRules,
    beginning: Option<u32>,
    ending: Option<u32>,
    padding: Option<u32>,
}

/// The four algorithms of the format.
#[derive(Debug, Clone)]
pub(super) enum Algorithm {
    Unigram(Unigram),
    Bpe(Bpe),
    Word,
    Character,
}

impl SentencePiece {
    /// Compile a `.model` file, read whole.
    ///
    /// # Errors
    /// [`Error::Format`] when the bytes are no such file or the library would
    /// refuse it, [`Error::Unsupported`] for values that no version of the
    /// format defines.
    pub fn compile(proto_bytes: &[u8]) -> Result<Self> {
        let proto = proto::parse(proto_bytes)?;
        let trainer = proto.trainer_spec.unwrap_or_default();
        let model_type = trainer.model_type.unwrap_or(1);
        let vocabulary =
            Vocabulary::compile(proto.pieces, trainer.byte_fallback(), model_type == 2)?;
        let algorithm = match model_type {
            1 => Algorithm::Unigram(Unigram::compile(&vocabulary)?),
            2 => Algorithm::Bpe(Bpe::compile(&vocabulary)),
            3 => Algorithm::Word,
            4 => Algorithm::Character,
            other => {
                return Err(Error::unsupported(
                    "trainer_spec.model_type",
                    other.to_string(),
                    "1 (unigram), 2 (bpe), 3 (word), 4 (char)",
                ));
            }
        };
        let user_symbols = UserSymbols::compile(&vocabulary)?;
        let normalizer = Normalizer::compile(
            &proto.normalizer_spec.unwrap_or_default(),
            trainer.treat_whitespace_as_suffix(),
            user_symbols.as_ref(),
            "normalizer_spec",
        )?;
        let control = |piece: &Option<String>, default: &str| {
            let piece = piece.as_deref().filter(|piece| !piece.is_empty());
            vocabulary
                .id(piece.unwrap_or(default))
                .filter(|&id| kind(&vocabulary, id) == Some(PieceKind::Control))
        };
        Ok(Self {
            algorithm,
            normalizer,
            denormalizer: denormalizer(proto.denormalizer_spec)?,
            user_symbols,
            beginning: control(&trainer.bos_piece, "<s>"),
            ending: control(&trainer.eos_piece, "</s>"),
            padding: control(&trainer.pad_piece, "<pad>"),
            piece_rules: PieceRules::new(&trainer),
            unknown_surface: unknown_surface(trainer),
            vocabulary,
        })
    }

    /// The name of the algorithm that cuts a text.
    pub fn algorithm(&self) -> &'static str {
        match self.algorithm {
            Algorithm::Unigram(_) => "SentencePiece unigram",
            Algorithm::Bpe(_) => "SentencePiece BPE",
            Algorithm::Word => "SentencePiece word",
            Algorithm::Character => "SentencePiece character",
        }
    }

    /// Whether the pieces' scores decide on the segmentation of a text.
    pub fn is_unigram(&self) -> bool {
        matches!(self.algorithm, Algorithm::Unigram(_))
    }

    /// Whether a text is put together by merges.
    pub fn is_bpe(&self) -> bool {
        matches!(self.algorithm, Algorithm::Bpe(_))
    }

    /// The number of pieces; ids are smaller.
    pub fn len(&self) -> usize {
        self.vocabulary.pieces().len()
    }

    /// Whether there are no pieces (never true of a compiled model).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The piece with an id, space marks as they stand in the file.
    pub fn piece(&self, id: u32) -> Option<&str> {
        self.vocabulary.get(id).map(|piece| &*piece.text)
    }

    /// The id of a piece. Where the library answers with the unknown piece's
    /// id for a text that is no piece, this is `None`.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.vocabulary.id(piece)
    }

    /// The score of an id.
    pub fn score(&self, id: u32) -> Option<f32> {
        self.vocabulary.get(id).map(|piece| piece.score)
    }

    /// What the piece with an id is for.
    pub fn kind(&self, id: u32) -> Option<PieceKind> {
        kind(&self.vocabulary, id)
    }

    /// The unknown piece.
    pub fn unk_id(&self) -> Option<u32> {
        self.vocabulary.unknown()
    }

    /// The control piece that begins a text.
    pub fn bos_id(&self) -> Option<u32> {
        self.beginning
    }

    /// The control piece that ends a text.
    pub fn eos_id(&self) -> Option<u32> {
        self.ending
    }

    /// The control piece that fills up a batch.
    pub fn pad_id(&self) -> Option<u32> {
        self.padding
    }

    /// The bytes that an id adds to a decoded text when it stands in the middle:
    /// none for control pieces, one for byte pieces, else the text of the piece
    /// with spaces for space marks (for the unknown piece, what it is shown as).
    pub fn token_bytes(&self, id: u32) -> Option<Vec<u8>> {
        let piece = self.vocabulary.get(id)?;
        Some(match piece.kind {
            PieceKind::Control => Vec::new(),
            PieceKind::Byte => parse_byte(&piece.text).into_iter().collect(),
            PieceKind::Unknown => self.unknown_surface.clone().into_bytes(),
            _ => piece.text.replace(SPACE_MARK, " ").into_bytes(),
        })
    }

    /// All pieces with their ids, in the order of ids.
    pub fn pieces(&self) -> impl Iterator<Item = (u32, &str)> {
        let pieces = self.vocabulary.pieces();
        (0..offset(pieces.len())).zip(pieces.iter().map(|piece| &*piece.text))
    }
}

fn kind(vocabulary: &Vocabulary, id: u32) -> Option<PieceKind> {
    vocabulary.get(id).map(|piece| piece.kind)
}

fn unknown_surface(trainer: TrainerSpec) -> String {
    trainer
        .unk_surface
        .unwrap_or_else(|| UNKNOWN_SURFACE.to_owned())
}

/// The library ignores a denormaliser without a character map.
fn denormalizer(spec: Option<NormalizerSpec>) -> Result<Option<Normalizer>> {
    spec.filter(|spec| !spec.precompiled_charsmap().is_empty())
        .map(|spec| Normalizer::compile(&spec, false, None, "denormalizer_spec"))
        .transpose()
}
