//! Added tokens as tuples of their fields, for the facade.

use pytok_core::definition::AddedToken;

/// content, single_word, lstrip, rstrip, normalized, special.
pub type AddedTokenFields = (String, bool, bool, bool, bool, bool);

/// A token to add; the core chooses its id.
pub fn from_fields(fields: AddedTokenFields) -> AddedToken {
    let (content, single_word, lstrip, rstrip, normalized, special) = fields;
    AddedToken {
        id: 0,
        content,
        single_word,
        lstrip,
        rstrip,
        normalized,
        special,
    }
}

/// The id and the fields of a token.
pub fn to_fields(token: AddedToken) -> (u32, AddedTokenFields) {
    let AddedToken {
        id,
        content,
        single_word,
        lstrip,
        rstrip,
        normalized,
        special,
    } = token;
    let fields = (content, single_word, lstrip, rstrip, normalized, special);
    (id, fields)
}
