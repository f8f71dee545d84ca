//! Every way in which the core can fail, one variant per kind.
//!
//! Messages are lower-case, name the field or argument, and say what was
//! expected, so that a caller can print them as they are.

use std::fmt;

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// A tokenizer file cannot be read as the format it claims to be.
    Format {
        /// Which format was expected, for example `tokenizer.json`.
        format: &'static str,
        /// Where: a field path (`model.vocab`) or a line (`line 12`).
        location: String,
        /// What is wrong and what was expected.
        message: String,
    },
    /// A tokenizer file asks for something that cannot be honoured exactly.
    Unsupported {
        /// The field, for example `normalizer.type`.
        field: String,
        /// The value found there.
        value: String,
        /// What is supported instead.
        supported: String,
    },
    /// The parts of a definition contradict each other.
    Vocabulary {
        /// What is wrong, with the offending pieces or ids.
        message: String,
    },
    /// A text cannot be encoded under the options given.
    Encode {
        /// What is wrong and what to do about it.
        message: String,
    },
    /// A control token stands in a text and the policy is `error`.
    ControlToken {
        /// The token's content.
        token: String,
        /// Its byte offset in the text.
        byte_offset: usize,
    },
    /// Data that does not fit into memory cannot be written to a file, or read back.
    Storage {
        /// The file or its folder.
        place: String,
        /// What went wrong.
        message: String,
    },
    /// An argument is out of its range.
    Argument {
        /// The argument's name.
        argument: &'static str,
        /// What was found and what was expected.
        message: String,
    },
}

impl Error {
    /// A [`Error::Format`].
    pub fn format(
        format: &'static str,
        location: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::Format {
            format,
            location: location.into(),
            message: message.into(),
        }
    }

    /// A [`Error::Unsupported`].
    pub fn unsupported(
        field: impl Into<String>,
        value: impl Into<String>,
        supported: impl Into<String>,
    ) -> Self {
        Self::Unsupported {
            field: field.into(),
            value: value.into(),
            supported: supported.into(),
        }
    }

    /// The same error with the path of the component that it arose in put before
    /// the field or location that it names.
    #[must_use]
    pub fn within(self, path: &str) -> Self {
        match self {
            Self::Unsupported {
                field,
                value,
                supported,
            } => Self::Unsupported {
                field: format!("{path}.{field}"),
                value,
                supported,
            },
            other => other,
        }
    }

    /// A [`Error::Vocabulary`].
    pub fn vocabulary(message: impl Into<String>) -> Self {
        Self::Vocabulary {
            message: message.into(),
        }
    }

    /// A [`Error::Encode`].
    pub fn encode(message: impl Into<String>) -> Self {
        Self::Encode {
            message: message.into(),
        }
    }

    /// A [`Error::Argument`].
    pub fn argument(argument: &'static str, message: impl Into<String>) -> Self {
        Self::Argument {
            argument,
            message: message.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format {
                format,
                location,
                message,
            } => write!(f, "not a valid {format} file: {location}: {message}"),
            Self::Unsupported {
                field,
                value,
                supported,
            } => write!(
                f,
                "{field}: {value} is not supported; supported: {supported}"
            ),
            Self::Vocabulary { message } | Self::Encode { message } => f.write_str(message),
            Self::ControlToken { token, byte_offset } => write!(
                f,
                "the text contains the control token {token:?} at byte {byte_offset}; pass \
                 special=\"text\" to encode it as plain text, special=\"special\" to encode it as \
                 the control token, or remove it from the text"
            ),
            Self::Storage { place, message } => write!(f, "{place}: {message}"),
            Self::Argument { argument, message } => write!(f, "{argument}: {message}"),
        }
    }
}

impl std::error::Error for Error {}
