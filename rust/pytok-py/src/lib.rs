//! The Python binding: registration only.
