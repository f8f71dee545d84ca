//! Byte-pair encoding over bytes.
//!
//! The engine of rank files (tiktoken, tekken) and the fast path of
//! `tokenizer.json` files whose pieces are written in the byte alphabet: such
//! a model merges bytes, so the alphabet is left out. Words are raw bytes.

mod canonical;
mod compile;
mod engine;
mod segments;
mod spelled;
mod without;

pub use engine::{BpeScratch, ByteBpe};
