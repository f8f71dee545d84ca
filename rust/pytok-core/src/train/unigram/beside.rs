//! What is done beside merging.
//!
//! One thread merges. What does not need to wait for it is done beside it by the
//! others: the segments are put in order, or the words segmented for the
//! boundary prior. Before pairs are merged they are laid out on all threads: what
//! is done beside begins behind that, or merging would.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

use super::boundaries::{Boundaries, Sums, boundaries_of_all};
use super::boundary_search::Search;
use super::config::{Estimate, UnigramConfig};
use super::run::{OpenDictionary, UnigramInputs};
use crate::error::Result;
use crate::ids::offset;
use crate::train::meetings::Meetings;
use crate::train::progress::{Meter, Progress, Stage};
use crate::train::word_table::WordTable;

/// The boundaries of the words in the segments. `None` when the caller said stop.
pub(super) fn find_boundaries(
    inputs: &mut UnigramInputs<'_>,
    config: &UnigramConfig,
    meetings: &Meetings,
    segments: &WordTable,
    meter: &mut Meter<'_>,
) -> Result<Option<Boundaries>> {
    if config.gamma == 0.0 {
        return Ok(Some(Boundaries::default()));
    }
    let threads = config.pieces.threads;
    let beside = Beside::searching(inputs, meetings, segments);
    if beside.search.is_some() {
        let all = beside.run(threads, meter, |_| Ok(Some(())))?;
        return Ok(all.and_then(|()| beside.finish(threads).1));
    }
    let words = inputs.counts.words();
    let total = offset(words.unique());
    let go_on = |done: usize| {
        let done = u64::from(offset(done));
        meter.show(Stage::Segment, done, total.into()).is_continue()
    };
    let sums = Sums::new(meetings, segments);
    let all = if let Some(find) = &mut inputs.find_boundaries {
        sums.find_by(words, find, threads, go_on)?
    } else {
        let dictionary = inputs.open_dictionary()?;
        let mut find = |texts: &[&str]| Ok(boundaries_of_all(&dictionary, texts, threads));
        sums.find_by(words, &mut find, threads, go_on)?
    };
    Ok(all.then(|| sums.finish(threads)))
}

/// What is done on all threads, by one of them when it has merged pairs.
#[derive(Default)]
pub(super) struct Beside<'a, 'i> {
    /// The segments, and these in the order of their bytes: sums of doubles
    /// depend on it.
    ordered: Option<(&'a WordTable, OnceLock<WordTable>)>,
    search: Option<(Search<'a>, &'i OpenDictionary<'i>)>,
    begin: Gate,
    over: AtomicBool,
}

/// What threads wait at until it is opened.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }

    fn wait(&self) {
        let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_closed = |is_open: &mut bool| !*is_open;
        drop(self.opened.wait_while(is_open, is_closed));
    }
}

/// Opens a gate, also when what is before it fails.
struct Opening<'a>(&'a Gate);

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.0.open();
    }
}

impl<'a, 'i: 'a> Beside<'a, 'i> {
    /// The search for boundaries, where that can be done on several threads.
    fn searching(
        inputs: &UnigramInputs<'i>,
        meetings: &'a Meetings,
        segments: &'a WordTable,
    ) -> Self {
        let is_other = inputs.find_boundaries.is_some();
        let dictionary = inputs.dictionary.filter(|_| !is_other);
        let search = inputs.counts.table().zip(dictionary).map(|(words, open)| {
            let sums = Sums::new(meetings, segments);
            (Search::new(words, sums), open)
        });
        Self {
            search,
            ..Self::default()
        }
    }

    /// What can be done while pairs are merged.
    pub(super) fn merging(
        inputs: &UnigramInputs<'i>,
        config: &UnigramConfig,
        meetings: &'a Meetings,
        segments: &'a WordTable,
    ) -> Self {
        match config.estimate {
            Estimate::Soft => Self {
                ordered: Some((segments, OnceLock::new())),
                ..Self::default()
            },
            Estimate::Hard if config.gamma > 0.0 => Self::searching(inputs, meetings, segments),
            Estimate::Hard => Self::default(),
        }
    }

    /// Call `merge` here and help the others when it is done. `None` when it is
    /// that, or the caller says stop.
    ///
    /// # Errors
    /// Those of `merge`, and those of opening the dictionary.
    pub(super) fn run<T>(
        &self,
        threads: usize,
        meter: &mut Meter<'_>,
        merge: impl FnOnce(&mut Meter<'_>) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let others = match self.search {
            Some(_) => threads - 1,
            None => usize::from(threads > 1 && self.ordered.is_some()),
        };
        std::thread::scope(|scope| {
            let go_on = |_| !self.over.load(Ordering::Relaxed);
            let helpers: Vec<_> = (0..others)
                .map(|_| {
                    scope.spawn(move || {
                        self.begin.wait();
                        self.help(go_on)
                    })
                })
                .collect();
            let mut result = self.begin_with(meter, merge);
            if let Ok(Some(_)) = result {
                let total = self.search.as_ref().map_or(0, |(search, _)| search.words());
                let all = self.help(|done| {
                    let (done, total) = (offset(done), offset(total));
                    let shown = meter.show(Stage::Segment, done.into(), total.into());
                    shown.is_continue()
                });
                match all {
                    Ok(true) => {}
                    Ok(false) => result = Ok(None),
                    Err(error) => result = Err(error),
                }
            }
            if !matches!(result, Ok(Some(_))) {
                self.over.store(true, Ordering::Relaxed);
            }
            for helper in helpers {
                match helper.join() {
                    Ok(all) if result.is_ok() => drop(all?),
                    Ok(_) => {}
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            result
        })
    }

    /// Call `merge`, and let the others begin when it is at the merges, or done.
    fn begin_with<T>(
        &self,
        meter: &mut Meter<'_>,
        merge: impl FnOnce(&mut Meter<'_>) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let opening = Opening(&self.begin);
        let mut on_progress = |progress: Progress| {
            let go_on = meter.pass(progress);
            if progress.stage == Stage::Merges {
                opening.0.open();
            }
            go_on
        };
        merge(&mut Meter::new(&mut on_progress))
    }

    /// Do what is left; `false` when `go_on` says stop.
    fn help(&self, go_on: impl FnMut(usize) -> bool) -> Result<bool> {
        if let Some((segments, ordered)) = &self.ordered {
            ordered.get_or_init(|| segments.in_byte_order());
        }
        match &self.search {
            Some((search, open)) => Ok(search.work(&*open()?, go_on)),
            None => Ok(true),
        }
    }

    /// The segments in order, and the boundaries in them, where either was done.
    pub(super) fn finish(self, threads: usize) -> (Option<WordTable>, Option<Boundaries>) {
        let found = self.search.map(|(search, _)| search.sums.finish(threads));
        let ordered = self.ordered.and_then(|(_, ordered)| ordered.into_inner());
        (ordered, found)
    }
}
