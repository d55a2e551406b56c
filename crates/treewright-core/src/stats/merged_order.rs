//! The order of [`order`](super::order) for rows that several processes hold. Each process owns a range of keys: the others
//! send it their keys, and it answers for each what only the keys of all processes tell.

use super::merged::select;
use super::portable::add_everywhere;
use crate::peers::Peers;
use crate::rng::mix_key;
use crate::{Error, Result};

const ENTRY_BYTES: usize = 16;
const ANSWER_BYTES: usize = 8;

/// The process that owns a key: the keys are spread evenly, and so are their owners.
fn owner_of(key: u64, size: usize) -> usize {
    ((u128::from(key) * size as u128) >> 64) as usize
}

/// Sends the entries of all rows to the owners of their keys and returns the answers. An entry is a key whose owner answers,
/// and a number that orders rows of the same key. An owner gets the entries of all
/// processes in their order, of equal ones those of the lower rank and row first, and gives an answer for each.
fn ask(peers: &dyn Peers, entries: &[(u64, u64)], answer: impl Fn(&[(u64, u64)]) -> Vec<u64>) -> Result<Vec<u64>> {
    let size = peers.size();
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); size];
    let mut parts: Vec<Vec<u8>> = vec![Vec::new(); size];
    for (row, &(key, second)) in entries.iter().enumerate() {
        let owner = owner_of(key, size);
        places[owner].push(row);
        parts[owner].extend_from_slice(&key.to_le_bytes());
        parts[owner].extend_from_slice(&second.to_le_bytes());
    }
    let sent = peers.exchange(&parts)?;
    drop(parts);
    let answers = peers.exchange(&answer_all(&sent, answer))?;
    let mut all = vec![0; entries.len()];
    for (places, answers) in places.iter().zip(&answers) {
        let (answers, rest) = answers.as_chunks::<ANSWER_BYTES>();
        if answers.len() != places.len() || !rest.is_empty() {
            return Err(Error::data("fit.peers", "another process of the fit has sent an answer of the wrong length"));
        }
        places.iter().zip(answers).for_each(|(&row, answer)| all[row] = u64::from_le_bytes(*answer));
    }
    Ok(all)
}

/// The answers to what each process has sent.
fn answer_all(sent: &[Vec<u8>], answer: impl Fn(&[(u64, u64)]) -> Vec<u64>) -> Vec<Vec<u8>> {
    let word = |bytes: &[u8; ENTRY_BYTES], half: usize| {
        bytes.as_chunks::<8>().0.get(half).map_or(0, |bytes| u64::from_le_bytes(*bytes))
    };
    let mut requests: Vec<((u64, u64), usize, usize)> = Vec::new();
    for (rank, bytes) in sent.iter().enumerate() {
        let entries = bytes.as_chunks::<ENTRY_BYTES>().0.iter().enumerate();
        requests.extend(entries.map(|(place, bytes)| ((word(bytes, 0), word(bytes, 1)), rank, place)));
    }
    requests.sort_unstable();
    let entries: Vec<(u64, u64)> = requests.iter().map(|request| request.0).collect();
    let mut out: Vec<Vec<u8>> = sent.iter().map(|bytes| vec![0; bytes.len() / ENTRY_BYTES * ANSWER_BYTES]).collect();
    for ((_, rank, place), answer) in requests.into_iter().zip(answer(&entries)) {
        out[rank][place * ANSWER_BYTES..][..ANSWER_BYTES].copy_from_slice(&answer.to_le_bytes());
    }
    out
}

/// [`tickets`](super::order::tickets) of the rows of this process.
pub fn tickets(peers: &dyn Peers, keys: &[u64], weights: Option<&[f64]>, held: Option<&[bool]>) -> Result<Vec<u64>> {
    // Rows that learn stand before those that are held out, and the lighter before the heavier.
    let second = |row: usize| {
        let weight = weights.map_or(0, |weights| weights[row].to_bits());
        weight | u64::from(held.is_some_and(|held| held[row])) << 63
    };
    let entries: Vec<(u64, u64)> = keys.iter().enumerate().map(|(row, &key)| (key, second(row))).collect();
    let copies = ask(peers, &entries, |entries| {
        let mut copies = Vec::with_capacity(entries.len());
        for equal in entries.chunk_by(|a, b| a.0 == b.0) {
            copies.extend(0..equal.len() as u64);
        }
        copies
    })?;
    Ok(keys.iter().zip(copies).map(|(&key, copy)| mix_key(key, copy as usize)).collect())
}

/// [`sample`](super::order::sample): the rows of this process that are in the common sample, ascending.
pub fn sample(peers: &dyn Peers, keys: &[u64], held: Option<&[bool]>, most: usize) -> Result<Vec<u32>> {
    let learns = |row: &u32| held.is_none_or(|held| !held[*row as usize]);
    let rows: Vec<u32> = (0..keys.len() as u32).filter(learns).collect();
    let mut total = [rows.len() as u64];
    add_everywhere(peers, &mut total)?;
    if total[0] <= most as u64 {
        return Ok(rows);
    }
    // Tickets are spread evenly, so the sample's are below this, and only the rows that may have such a ticket are looked
    // at. If chance will have it otherwise, so are all.
    let below = (most as f64 / total[0] as f64 * SPARE * KEYS) as u64;
    let copies = most_copies(peers, rows.iter().map(|&row| keys[row as usize]).collect())?;
    let may_be_below = |key: u64| (0..copies as usize).any(|copy| mix_key(key, copy) <= below);
    if copies as f64 * below as f64 <= MAX_SHARE * KEYS {
        let some: Vec<u32> = rows.iter().copied().filter(|&row| may_be_below(keys[row as usize])).collect();
        let tickets = tickets_of(peers, keys, &some)?;
        let mut count = [tickets.iter().filter(|&&ticket| ticket <= below).count() as u64];
        add_everywhere(peers, &mut count)?;
        if count[0] >= most as u64 {
            return take_first(peers, some, &tickets, most);
        }
    }
    let tickets = tickets_of(peers, keys, &rows)?;
    take_first(peers, rows, &tickets, most)
}

/// How many numbers a ticket may be.
const KEYS: f64 = 18_446_744_073_709_551_616.0;
/// So many times the tickets that a sample needs are expected to be among those that are looked at.
const SPARE: f64 = 1.05;
/// Where more rows than this share would be looked at, all are.
const MAX_SHARE: f64 = 0.5;

/// The tickets of some rows, all rows of a key among them.
fn tickets_of(peers: &dyn Peers, keys: &[u64], rows: &[u32]) -> Result<Vec<u64>> {
    let keys: Vec<u64> = rows.iter().map(|&row| keys[row as usize]).collect();
    tickets(peers, &keys, None, None)
}

/// The rows with the least tickets of all processes, so many in all.
fn take_first(peers: &dyn Peers, rows: Vec<u32>, tickets: &[u64], most: usize) -> Result<Vec<u32>> {
    let limit = select(peers, &[(tickets, None)], &[most as f64])?[0];
    Ok(rows.into_iter().zip(tickets).filter(|(_, ticket)| **ticket <= limit).map(|(row, _)| row).collect())
}

/// How many rows have the same key, at most: the sum of what each process finds.
fn most_copies(peers: &dyn Peers, mut keys: Vec<u64>) -> Result<u64> {
    keys.sort_unstable();
    let mut copies = [keys.chunk_by(|a, b| a == b).map(|equal| equal.len() as u64).max().unwrap_or(0)];
    add_everywhere(peers, &mut copies)?;
    Ok(copies[0])
}

/// Which rows of this process are held out: every n-th of all rows in the order of [`shuffled`](super::order::shuffled),
/// class by class where there are classes; at least one row, and not all.
pub fn hold_out(
    peers: &dyn Peers,
    tickets: &[u64],
    classes: Option<(&[u32], usize)>,
    share: f64,
    seed: u64,
) -> Result<Vec<bool>> {
    let (codes, count) = classes.map_or((None, 1), |(codes, count)| (Some(codes), count));
    let class = |row: usize| codes.map_or(0, |codes| codes[row] as usize);
    let places: Vec<u64> = tickets.iter().map(|ticket| mix_key(ticket ^ mix_key(seed, 0), 2)).collect();
    let size = peers.size();
    // How many rows of each class each process will be asked about.
    let mut counts = vec![0u64; count * size];
    places.iter().enumerate().for_each(|(row, &place)| counts[class(row) * size + owner_of(place, size)] += 1);
    add_everywhere(peers, &mut counts)?;
    let rows: u64 = counts.iter().sum();
    let held = (libm::rint(share * rows as f64) as u64).max(1).min(rows.saturating_sub(1));
    let entries: Vec<(u64, u64)> = places.iter().enumerate().map(|(row, &place)| (place, class(row) as u64)).collect();
    let answers = ask(peers, &entries, |entries| {
        let first = |class: usize| counts[..class * size + peers.rank()].iter().sum::<u64>();
        let mut next: Vec<u64> = (0..count).map(first).collect();
        let mut answers = Vec::with_capacity(entries.len());
        for (_, class) in entries {
            let place = &mut next[*class as usize];
            answers.push(u64::from(is_held(*place, held, rows)));
            *place += 1;
        }
        answers
    })?;
    Ok(answers.into_iter().map(|answer| answer == 1).collect())
}

/// Whether a place is one of `held` that are spread evenly over all places: `(2 i + 1) rows / (2 held)` for some `i`.
fn is_held(place: u64, held: u64, rows: u64) -> bool {
    if held == 0 {
        return false;
    }
    let (place, held, rows) = (u128::from(place), u128::from(held), u128::from(rows));
    let at = |i: u128| (2 * i + 1) * rows / (2 * held);
    // The place of i is about i * rows / held.
    let near = place * held / rows;
    (near.saturating_sub(1)..=near + 1).any(|i| i < held && at(i) == place)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::peers::Alone;
    use crate::peers::threads::ThreadPeers;
    use crate::stats::order;

    /// Keys of which many are equal, with weights.
    fn rows() -> (Vec<u64>, Vec<f64>, Vec<bool>) {
        let keys = (0..3000).map(|row: u64| mix_key(row * row % 700, 0)).collect();
        let weights = (0..3000).map(|row| f64::from(row % 3)).collect();
        (keys, weights, (0..3000).map(|row| row % 5 == 0).collect())
    }

    /// What each of several processes finds about its rows, in the order of all rows.
    fn together<T: Send>(cuts: &[usize], work: impl Fn(&dyn Peers, std::ops::Range<usize>) -> Vec<T> + Sync) -> Vec<T> {
        let work = &work;
        std::thread::scope(|scope| {
            let spans = cuts.windows(2).map(|pair| pair[0]..pair[1]);
            let threads: Vec<_> = (ThreadPeers::new(cuts.len() - 1, false).into_iter().zip(spans))
                .map(|(peer, span)| scope.spawn(move || work(&peer, span)))
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn tickets_and_samples_are_those_of_one_process() {
        let (keys, weights, held) = rows();
        let wanted = order::tickets(&keys, Some(&weights), Some(&held));
        for cuts in [vec![0, 3000], vec![0, 1, 1, 2999, 3000], vec![0, 700, 1400, 3000]] {
            let found = together(&cuts, |peers, span| {
                tickets(peers, &keys[span.clone()], Some(&weights[span.clone()]), Some(&held[span])).unwrap()
            });
            assert_eq!(found, wanted);
            for most in [1, 500, 2999, 5000] {
                let found = together(&cuts, |peers, span| {
                    let rows = sample(peers, &keys[span.clone()], Some(&held[span.clone()]), most).unwrap();
                    rows.into_iter().map(|row| keys[span.start + row as usize]).collect()
                });
                let mut wanted: Vec<u64> =
                    order::sample(&keys, Some(&held), most).iter().map(|&row| keys[row as usize]).collect();
                let mut found = found;
                found.sort_unstable();
                wanted.sort_unstable();
                assert_eq!(found, wanted);
            }
        }
    }

    #[test]
    fn a_small_sample_of_many_rows_is_that_of_one_process() {
        // Some rows are twice there, in different processes too.
        let keys: Vec<u64> = (0..20_000u64).map(|row| mix_key(row % 19_000, 0)).collect();
        for (most, copies) in [(1, 2), (150, 2), (400, 2), (1000, 40)] {
            let keys: Vec<u64> = keys.iter().copied().chain([keys[0]; 40].into_iter().take(copies)).collect();
            let mut wanted: Vec<u64> = order::sample(&keys, None, most).iter().map(|&row| keys[row as usize]).collect();
            wanted.sort_unstable();
            for cuts in [vec![0, keys.len()], vec![0, 9000, 9000, keys.len()], vec![0, 5, 12_000, 18_500, keys.len()]] {
                let mut found = together(&cuts, |peers, span| {
                    let rows = sample(peers, &keys[span.clone()], None, most).unwrap();
                    rows.into_iter().map(|row| keys[span.start + row as usize]).collect()
                });
                found.sort_unstable();
                assert_eq!(found, wanted, "{most} of rows of which one is there {copies} times");
            }
        }
    }

    #[test]
    fn the_same_rows_are_held_out() {
        let (keys, ..) = rows();
        let codes: Vec<u32> = keys.iter().map(|key| (key % 3) as u32).collect();
        let alone = hold_out(&Alone, &order::tickets(&keys, None, None), Some((&codes, 3)), 0.17, 9).unwrap();
        assert_eq!(alone.iter().filter(|held| **held).count(), 510);
        let cuts = [0, 10, 10, 2000, 3000];
        let found = together(&cuts, |peers, span| {
            let own = tickets(peers, &keys[span.clone()], None, None).unwrap();
            hold_out(peers, &own, Some((&codes[span], 3)), 0.17, 9).unwrap()
        });
        assert_eq!(found, alone);
        // The places themselves.
        for (rows, held) in [(10u64, 3u64), (7, 6), (1000, 1), (5, 4)] {
            let wanted: Vec<u64> = (0..held).map(|i| (2 * i + 1) * rows / (2 * held)).collect();
            let found: Vec<u64> = (0..rows).filter(|&place| is_held(place, held, rows)).collect();
            assert_eq!(found, wanted);
        }
    }
}
