//! `tokenizer.json`, the format of Hugging Face `tokenizers`.

use serde::{Deserialize, Deserializer};

/// Merges in either of the two notations: `["a", "b"]` or `"a b"`.
pub fn merges<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, String)>, D::Error> {
    Vec::<(String, String)>::deserialize(deserializer)
}
