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
pub struct KeptCodes {
    samples: Mutex<Option<Arc<Samples>>>,
    columns: Mutex<Option<Coded>>,
    ranks: Mutex<Option<Ranks>>,
}

/// The ranks of all columns, without the table.
type Ranks = Arc<Vec<RankedColumn<'static>>>;

impl KeptCodes {
    /// The samples.
    pub(super) fn samples(&self, draw: impl FnOnce() -> Result<Samples>) -> Result<Arc<Samples>> {
        let mut kept = lock(&self.samples);
        if let Some(samples) = kept.as_ref() {
            return Ok(Arc::clone(samples));
        }
        let samples = Arc::new(draw()?);
        *kept = Some(Arc::clone(&samples));
        Ok(samples)
    }

    /// The columns of codes; None where rows must be held in another way.
    pub(super) fn base<'t>(
        &self,
        table: &Table<'t>,
        code: impl FnOnce() -> Result<Option<Base<'t>>>,
    ) -> Result<Option<Base<'t>>> {
        let mut kept = lock(&self.columns);
        if let Some(codes) = kept.as_ref() {
            return Ok(Base::again(codes.clone(), table));
        }
        let base = code()?;
        *kept = base.as_ref().map(Base::codes);
        Ok(base)
    }

    /// The ranks of the columns.
    pub(super) fn ranks(&self, table: &Table<'_>, cancel: &Cancel) -> Result<Ranks> {
        let mut kept = lock(&self.ranks);
        if let Some(ranks) = kept.as_ref() {
            return Ok(Arc::clone(ranks));
        }
        let ranks = Arc::new(RankedColumn::all_owned(table, cancel)?);
        *kept = Some(Arc::clone(&ranks));
        Ok(ranks)
    }
}

fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
