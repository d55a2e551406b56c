//! The numbers of the root: each column is sorted once, by its ranks.

use super::estimates::Estimated;
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::MISSING;
use crate::rows::list::List;
use crate::rows::sorted::columns::{SortedColumns, SpareItems};
use crate::rows::sorted::item::item;
use crate::stats::entry::Entry;
use crate::sys::memory::{collected, filled};
use crate::sys::pool::{self, Cancel};

/// The numbers of all rows of a table that have a weight.
pub(super) fn sort_columns<C: Estimated>(
    list: &List<'_, C>,
    entries: &[Entry],
    threads: usize,
    (spares, cancel): (&SpareItems, &Cancel),
) -> Result<SortedColumns> {
    let numeric = || list.columns.iter().zip(0u32..).filter(|(column, _)| column.is_numeric());
    let mut sorted = SortedColumns::new(numeric().count(), entries.len(), spares)?;
    let bits: Vec<u32> = collected(entries.iter().map(|entry| list.criterion.class_bit(entry.row)))?;
    let jobs = numeric().zip(sorted.items.chunks_mut(sorted.stride)).collect();
    let one = |((column, feature), items): ((&RankedColumn<'_>, u32), &mut [u64])| -> Result<(u32, u32)> {
        cancel.check()?;
        let code = |entry: &Entry| column.codes()[entry.row as usize];
        let mut places = filled(0u32, column.levels() as usize + 1)?;
        let coded = || {
            entries.iter().zip(0u32..).map(|(entry, place)| (code(entry), place)).filter(|(code, _)| *code != MISSING)
        };
        coded().for_each(|(code, _)| places[code as usize] += 1);
        let mut known = 0;
        places.iter_mut().for_each(|start| known += std::mem::replace(start, known));
        for (code, place) in coded() {
            let next = &mut places[code as usize];
            items[*next as usize] = item(code, place, bits[place as usize]);
            *next += 1;
        }
        Ok((feature, known))
    };
    sorted.columns = pool::each(threads, jobs, one)?.into_iter().collect::<Result<_>>()?;
    Ok(sorted)
}
