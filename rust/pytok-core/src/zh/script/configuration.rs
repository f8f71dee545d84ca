//! A conversion of OpenCC as data: its configuration and the text of the
//! dictionaries that it names.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::dictionary::{Entry, parse};
use super::edges::Folds;
use super::sentences::ScriptsDefinition;
use crate::error::{Error, Result};

/// A conversion between scripts or regional standards.
///
/// The first four fields are those of a configuration file of OpenCC 1.4.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptDefinition {
    /// What is replaced before anything else.
    #[serde(default)]
    normalization: Vec<Conversion>,
    /// The dictionary whose phrases no later rule may cross.
    #[serde(default)]
    segmentation: Option<Segmentation>,
    /// What is replaced, one dictionary after the other.
    conversion_chain: Vec<Conversion>,
    /// The text of each dictionary file: lines `key TAB value[ value ...]`.
    files: BTreeMap<String, String>,
    /// Parts of a text that stay as they are, wherever they stand.
    #[serde(default)]
    keep: Vec<String>,
    /// Which characters may be put in the place of others.
    #[serde(default)]
    glyphs: Glyphs,
    /// The SHA-256 of the dictionary over the edges of whose words no phrase
    /// reaches; empty where phrases do as they do in OpenCC.
    #[serde(default)]
    words: String,
    /// Pairs of characters, the second one looked up in that dictionary in the place
    /// of the first.
    #[serde(default)]
    folds: String,
    /// The number of the first table whose text is looked up so.
    #[serde(default)]
    folds_from: usize,
    /// How to tell what is in the target script already.
    #[serde(default)]
    pub(super) scripts: Option<ScriptsDefinition>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Conversion {
    dict: Dict,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
enum Segmentation {
    Mmseg { dict: Dict },
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
enum Dict {
    Text {
        file: String,
        /// Whether few fonts have what it puts.
        #[serde(default)]
        may_output_tofu: bool,
    },
    Group {
        #[serde(default)]
        match_policy: MatchPolicy,
        dicts: Vec<Dict>,
    },
}

/// Which dictionary of a group decides where several have a match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MatchPolicy {
    /// The first that has one, however short.
    #[default]
    ShortCircuit,
    /// The one with the longest; of equally long ones the first.
    Union,
}

/// Which characters may be put in the place of others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Glyphs {
    /// All.
    #[default]
    Any,
    /// None of a dictionary that says that few fonts have them.
    Opencc,
    /// None beyond the basic plane that does not stand there already.
    Bmp,
}

/// A dictionary or a group of them as one list of entries in the order of their
/// keys: the longest key that a text begins with is the one that counts.
pub(super) type Table<'a> = Vec<Entry<'a>>;

impl ScriptDefinition {
    /// What stays, as a table.
    pub(super) fn keep_list(&self) -> Table<'_> {
        let keys = self.keep.iter().map(String::as_str);
        merge(vec![keys.map(|key| Entry::new(key, vec![key])).collect()])
    }

    /// Whether there are words over whose edges no phrase reaches.
    pub(super) fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// What is looked up in the place of what, and in the text of which table first.
    pub(super) fn folds(&self) -> (Folds, usize) {
        let characters: Vec<char> = self.folds.chars().collect();
        let pairs = characters.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        (pairs.collect(), self.folds_from)
    }

    /// The tables of the normalisation.
    pub(super) fn normalization(&self) -> Result<Vec<Table<'_>>> {
        self.tables(&self.normalization)
    }

    /// Whether the phrases that no rule may cross are the first dictionary of the
    /// first table of the chain.
    pub(super) fn cuts_with_first(&self) -> bool {
        let first = self.conversion_chain.first().map(|first| &first.dict);
        match (&self.segmentation, first) {
            (
                Some(Segmentation::Mmseg { dict }),
                Some(Dict::Group {
                    match_policy,
                    dicts,
                }),
            ) => *match_policy == MatchPolicy::ShortCircuit && dicts.first() == Some(dict),
            _ => false,
        }
    }

    /// The phrases that no rule may cross.
    pub(super) fn segmentation(&self) -> Result<Option<Table<'_>>> {
        let table = |Segmentation::Mmseg { dict }: &Segmentation| self.table(dict);
        self.segmentation.as_ref().map(table).transpose()
    }

    /// The tables of the chain.
    pub(super) fn chain(&self) -> Result<Vec<Table<'_>>> {
        self.tables(&self.conversion_chain)
    }

    fn tables<'a>(&'a self, conversions: &[Conversion]) -> Result<Vec<Table<'a>>> {
        let table = |conversion: &Conversion| self.table(&conversion.dict);
        conversions.iter().map(table).collect()
    }

    fn table<'a>(&'a self, dict: &Dict) -> Result<Table<'a>> {
        let mut risky = Vec::new();
        let mut tiers = self.tiers(dict, &mut risky)?;
        // Spoken of where nothing else is known of the character.
        risky.iter_mut().for_each(Entry::keep_key);
        tiers.push(risky);
        let mut table = merge(tiers);
        if self.glyphs != Glyphs::Any {
            table.iter_mut().for_each(Entry::mark_rare);
        }
        if self.glyphs == Glyphs::Bmp {
            // A phrase without common characters leaves the place to its parts.
            table.retain_mut(|entry| entry.put_common() || entry.is_character());
        }
        Ok(table)
    }

    /// The dictionaries of a dictionary in the order in which they are asked; in
    /// each the longest match counts. What may not be put comes apart.
    fn tiers<'a>(&'a self, dict: &Dict, risky: &mut Table<'a>) -> Result<Vec<Table<'a>>> {
        let (match_policy, dicts) = match dict {
            Dict::Text {
                file,
                may_output_tofu,
            } => {
                let entries = self.entries(file)?;
                if *may_output_tofu && self.glyphs != Glyphs::Any {
                    risky.extend(entries);
                    return Ok(Vec::new());
                }
                return Ok(vec![entries]);
            }
            Dict::Group {
                match_policy,
                dicts,
            } => (match_policy, dicts),
        };
        let mut groups = Vec::new();
        for dict in dicts {
            groups.push(self.tiers(dict, risky)?);
        }
        if *match_policy == MatchPolicy::ShortCircuit {
            return Ok(groups.into_iter().flatten().collect());
        }
        if groups.iter().any(|tiers| tiers.len() > 1) {
            let message = "a union of groups that are no unions, expected dictionaries";
            return Err(Error::argument("match_policy", message));
        }
        Ok(vec![groups.into_iter().flatten().flatten().collect()])
    }

    fn entries<'a>(&'a self, file: &str) -> Result<Table<'a>> {
        let (file, text) = self.files.get_key_value(file).ok_or_else(|| {
            let message = format!("no text of {file:?}, which a dictionary names");
            Error::argument("files", message)
        })?;
        parse(file, text)
    }
}

/// One table of several, of which an early one with a short match hides longer
/// matches of later ones. Of equal keys the first entry stays.
fn merge(tiers: Vec<Table<'_>>) -> Table<'_> {
    let ranked = tiers
        .into_iter()
        .enumerate()
        .flat_map(|(tier, entries)| entries.into_iter().map(move |entry| (tier, entry)));
    let mut ranked: Vec<_> = ranked.collect();
    // Stable: of equal keys in one tier the first stays in front.
    ranked.sort_by(|(tier, entry), (other_tier, other)| {
        (entry.key, tier).cmp(&(other.key, other_tier))
    });
    ranked.dedup_by_key(|(_, entry)| entry.key);
    // The keys that the current key begins with, each with the earliest tier of
    // itself and those before it: they come right before it in the order.
    let mut prefixes: Vec<(&str, usize)> = Vec::new();
    ranked.retain(|(tier, entry)| {
        while matches!(prefixes.last(), Some((prefix, _)) if !entry.key.starts_with(prefix)) {
            prefixes.pop();
        }
        let earliest = prefixes.last().map_or(*tier, |&(_, earliest)| earliest);
        prefixes.push((entry.key, earliest.min(*tier)));
        earliest >= *tier
    });
    let ranked = ranked.into_iter().map(|(tier, mut entry)| {
        entry.first_tier = tier == 0;
        entry
    });
    ranked.collect()
}

#[cfg(test)]
mod tests;
