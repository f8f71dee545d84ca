//! The Python binding: registration only.
//!
//! The extension is the private module `pytok._pytok`; users meet it through
//! the facade in `pytok/tokenizer.py`. Every class is immutable over a value of
//! `pytok-core`, so no lock is needed with or without the interpreter's.

mod added_tokens;
mod arguments;
mod decode_stream;
mod encoding;
mod errors;
mod extender;
mod learner;
mod loading;
mod pruner;
mod segmenter;
mod sequences;
mod tokenizer;
mod trainer;
mod unigram_trainer;
mod values;
mod zh;

use pyo3::prelude::*;

/// The Rust core of pytok. Private: use the names of the package `pytok`.
#[pymodule(gil_used = false)]
fn _pytok(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<tokenizer::Tokenizer>()?;
    module.add_class::<encoding::Encoding>()?;
    module.add_class::<decode_stream::DecodeStream>()?;
    module.add_class::<trainer::WordCounter>()?;
    module.add_class::<trainer::WordCounts>()?;
    module.add_class::<learner::Learner>()?;
    module.add_class::<pruner::Pruner>()?;
    module.add_class::<segmenter::WordSegmenter>()?;
    module.add_class::<zh::Alignment>()?;
    module.add_class::<zh::ChinesePipeline>()?;
    module.add_class::<zh::ChineseWords>()?;
    module.add_class::<zh::Edits>()?;
    module.add_function(wrap_pyfunction!(extender::extend, module)?)?;
    module.add_function(wrap_pyfunction!(trainer::check_bpe, module)?)?;
    module.add_function(wrap_pyfunction!(trainer::train_bpe, module)?)?;
    module.add_function(wrap_pyfunction!(unigram_trainer::check_unigram, module)?)?;
    module.add_function(wrap_pyfunction!(unigram_trainer::train_unigram, module)?)?;
    Ok(())
}
