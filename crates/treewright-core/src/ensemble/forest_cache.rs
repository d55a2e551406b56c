//! What the trees of one forest share where they are grown in several calls: the samples and the coded columns.

use super::sample::Samples;
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::Table;
use crate::rows::columns::bag::{Base, Coded};
use crate::sys::pool::Cancel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Made by the first call, used by all. A second call that comes meanwhile waits.
#[derive(Debug, Default)]
pub struct ForestCache {
    samples: Mutex<Option<Arc<Samples>>>,
    columns: Mutex<Option<Coded>>,
    ranks: Mutex<Option<Arc<Vec<RankedColumn<'static>>>>>,
}

impl ForestCache {
    /// The samples.
    pub(super) fn samples(&self, draw: impl FnOnce() -> Result<Samples>) -> Result<Arc<Samples>> {
        get_or_make(&self.samples, draw)
    }

    /// The columns of codes; None where rows must be held in another way.
    pub(super) fn base<'t>(
        &self,
        table: &Table<'t>,
        code: impl FnOnce() -> Result<Option<Base<'t>>>,
    ) -> Result<Option<Base<'t>>> {
        let mut slot = lock(&self.columns);
        if let Some(codes) = slot.as_ref() {
            return Ok(Base::again(codes.clone(), table));
        }
        let base = code()?;
        *slot = base.as_ref().map(Base::codes);
        Ok(base)
    }

    /// The ranks of the columns.
    pub(super) fn ranks(&self, table: &Table<'_>, cancel: &Cancel) -> Result<Arc<Vec<RankedColumn<'static>>>> {
        get_or_make(&self.ranks, || RankedColumn::all_owned(table, cancel))
    }
}

/// What stands in a slot; it is made if nothing does.
fn get_or_make<T>(slot: &Mutex<Option<Arc<T>>>, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
    let mut slot = lock(slot);
    if let Some(value) = slot.as_ref() {
        return Ok(Arc::clone(value));
    }
    Ok(Arc::clone(slot.insert(Arc::new(make()?))))
}

fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
