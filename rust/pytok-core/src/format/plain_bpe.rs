//! A BPE model that is read as it comes.
//!
//! serde keeps all of an enum with a tag in memory before it knows the variant, and
//! following the path of each value takes as long as reading it. Where nothing is
//! wrong, neither is needed.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::definition::{MergeList, Model, PieceTable, null_is_false};

/// A [`Model::BPE`] whose `type` is written, as an object.
pub(super) struct PlainBpe(pub(super) Model);

#[derive(Deserialize)]
enum Kind {
    #[serde(rename = "BPE")]
    Bpe,
}

/// The fields of [`Model::BPE`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(rename = "type")]
    _kind: Kind,
    #[serde(default)]
    dropout: Option<f32>,
    #[serde(default)]
    unk_token: Option<String>,
    #[serde(default)]
    continuing_subword_prefix: Option<String>,
    #[serde(default)]
    end_of_word_suffix: Option<String>,
    #[serde(default, deserialize_with = "null_is_false")]
    fuse_unk: bool,
    #[serde(default, deserialize_with = "null_is_false")]
    byte_fallback: bool,
    #[serde(default, deserialize_with = "null_is_false")]
    ignore_merges: bool,
    vocab: PieceTable,
    merges: MergeList,
}

impl<'de> Deserialize<'de> for PlainBpe {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fields, A::Error> {
                Fields::deserialize(MapAccessDeserializer::new(map))
            }
        }
        let fields = deserializer.deserialize_map(Object)?;
        Ok(Self(Model::BPE {
            dropout: fields.dropout,
            unk_token: fields.unk_token,
            continuing_subword_prefix: fields.continuing_subword_prefix,
            end_of_word_suffix: fields.end_of_word_suffix,
            fuse_unk: fields.fuse_unk,
            byte_fallback: fields.byte_fallback,
            ignore_merges: fields.ignore_merges,
            vocab: fields.vocab,
            merges: fields.merges,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokenizer_json::{read_any, read_plain_bpe};

    fn file(model: &str, more: &str) -> String {
        format!(r#"{{"version":"1.0"{more},"added_tokens":[],"decoder":null,"model":{model}}}"#)
    }

    const FIELDS: &str = r#""dropout":0.1,"fuse_unk":null,"unk_token":"\u4e2d",
        "vocab":{"a":0,"\u0062\"":1,"ab\"":2,"中":7,"a":3},
        "merges":["#;

    #[test]
    fn both_ways_of_reading_agree() {
        for merges in [r#""a b\"""#, r##""#version: 0.2",["a","b\""]"##, ""] {
            let model = format!(r#"{{{FIELDS}{merges}],"type":"BPE"}}"#);
            for content in [file(&model, ""), format!("\u{feff}{}", file(&model, ""))] {
                let plain = read_plain_bpe(content.as_bytes()).unwrap();
                assert_eq!(plain, read_any(content.as_bytes()).unwrap());
            }
        }
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_other_way() {
        let good = format!(r#"{{"type":"BPE",{FIELDS}]}}"#);
        assert!(read_plain_bpe(file(&good, "").as_bytes()).is_some());
        for more in [r#","format":"pytok""#, r#","config":{}"#, r#","vocab":[]"#] {
            assert_eq!(read_plain_bpe(file(&good, more).as_bytes()), None);
        }
        for model in [
            format!(r#"{{{FIELDS}]}}"#),
            format!(r#"{{"type":"WordLevel",{FIELDS}]}}"#),
            format!(r#"{{"type":"BPE",{FIELDS}"a b c"]}}"#),
            format!(r#"{{"type":"BPE","more":1,{FIELDS}]}}"#),
            r#"["BPE",null,null,null,null,false,false,false,{},[]]"#.to_owned(),
            good.replace("0.1", "1.5"),
        ] {
            assert_eq!(read_plain_bpe(file(&model, "").as_bytes()), None, "{model}");
        }
        let trailing = file(&good, "") + "x";
        assert_eq!(read_plain_bpe(trailing.as_bytes()), None);
        assert_eq!(read_plain_bpe(b"{\"model\": \"\xff\"}"), None);
    }
}
