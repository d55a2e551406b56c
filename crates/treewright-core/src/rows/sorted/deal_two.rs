//! Dealing one column of a node to two children. AVX-512 deals eight numbers at a time; both forms give equal items.

#[cfg(any(test, target_arch = "x86_64"))]
use super::columns::ITEMS_AT_ONCE;
use super::item::{moved, place_of};
use crate::simd::Isa;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use std::cell::Cell;

/// Deals items to the lists of two children, an empty one getting nothing; others have room for [`ITEMS_AT_ONCE`] more
/// than they get, and one of them may begin where the items begin. `places` tells for each row of the node its place in its
/// child, and in the lowest bit which child that is. Returns how many items each child has, if its list is not empty.
pub fn deal_to_two(isa: Isa, items: &[Cell<u64>], places: &[u32], lists: [&[Cell<u64>]; 2]) -> [usize; 2] {
    #[cfg(target_arch = "x86_64")]
    if isa.tier() == Tier::Avx512 {
        // SAFETY: an `Isa` of this tier exists only where the processor has its instructions.
        return unsafe { deal_eights(items, places, lists) };
    }
    let _ = isa;
    deal_rest(items, places, lists, [0; 2])
}

/// Goes on behind so many items of each list, without a branch.
fn deal_rest(items: &[Cell<u64>], places: &[u32], lists: [&[Cell<u64>]; 2], mut lens: [usize; 2]) -> [usize; 2] {
    if let Some(empty) = lists.iter().position(|list| list.is_empty()) {
        let side = 1 - empty;
        let (list, items) = (lists[side], if lists[side].is_empty() { &[] } else { items });
        for old in items {
            let place = places[place_of(old.get()) as usize];
            list[lens[side]].set(moved(old.get(), place >> 1));
            lens[side] += usize::from(place as usize & 1 == side);
        }
        return lens;
    }
    for old in items {
        let place = places[place_of(old.get()) as usize];
        let new = moved(old.get(), place >> 1);
        lists[0][lens[0]].set(new);
        lists[1][lens[1]].set(new);
        let is_high = place as usize & 1;
        lens = [lens[0] + 1 - is_high, lens[1] + is_high];
    }
    lens
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx2,popcnt")]
fn deal_eights(items: &[Cell<u64>], places: &[u32], lists: [&[Cell<u64>]; 2]) -> [usize; 2] {
    use super::item::KEY_AND_BIT;
    use std::arch::x86_64::*;
    let (mut lens, one) = ([0; 2], _mm256_set1_epi32(1));
    let (kept, count) = (_mm512_set1_epi64(KEY_AND_BIT as i64), _mm256_set1_epi32(places.len() as i32));
    let (eights, rest) = items.as_chunks::<8>();
    for eight in eights {
        // SAFETY: eight items are there.
        let old = unsafe { _mm512_loadu_epi64(eight.as_ptr().cast()) };
        let place = _mm256_srli_epi32::<1>(_mm512_cvtepi64_epi32(old));
        assert!(_mm256_cmplt_epu32_mask(place, count) == u8::MAX);
        // SAFETY: all eight places were just found to be there. They have 31 bits: none is negative.
        let next = unsafe { _mm256_i32gather_epi32::<4>(places.as_ptr().cast(), place) };
        let is_high = _mm256_test_epi32_mask(next, one);
        let next = _mm512_cvtepu32_epi64(_mm256_andnot_si256(one, next));
        let new = _mm512_or_si512(_mm512_and_si512(old, kept), next);
        for (side, list) in lists.into_iter().enumerate() {
            let chosen = if side == 1 { is_high } else { !is_high };
            if !list.is_empty() {
                // The items behind the chosen ones are overwritten by the next.
                assert!(lens[side] + ITEMS_AT_ONCE <= list.len());
                // SAFETY: there is room for eight items, and cells may be written to.
                unsafe {
                    let end = list.as_ptr().add(lens[side]).cast::<i64>().cast_mut();
                    _mm512_storeu_epi64(end, _mm512_maskz_compress_epi64(chosen, new));
                }
                lens[side] += chosen.count_ones() as usize;
            }
        }
    }
    deal_rest(rest, places, lists, lens)
}

#[cfg(test)]
mod tests {
    use super::super::item::item;
    use super::*;

    #[test]
    fn all_tiers_deal_alike() {
        for rows in [0, 1, 7, 8, 9, 40, 333] {
            for (turn, rooms) in [[true, true], [true, false], [false, true], [false, false]].into_iter().enumerate() {
                let mut lens = [0u32; 2];
                let mut places = Vec::new();
                for row in 0..rows {
                    let side = usize::from((row * 7919 + turn) % 5 > 1);
                    places.push(lens[side] << 1 | side as u32);
                    lens[side] += 1;
                }
                let row = |i: usize| ((i * 131 + turn) % rows) as u32;
                // Some rows have no number.
                let mut items: Vec<u64> = (0..rows - rows / 9).map(|i| item(i as u32 * 3, row(i), i as u32)).collect();
                items.resize(items.len() + ITEMS_AT_ONCE, 0);
                let known = items.len() - ITEMS_AT_ONCE;
                let mut runs = Isa::all().flat_map(|isa| {
                    // Apart from the items, or one of them in their place.
                    [None, Some(0), Some(1)].map(|stays| {
                        let mut items = items.clone();
                        let mut lists = [0, 1]
                            .map(|side| vec![0; if rooms[side] { lens[side] as usize + ITEMS_AT_ONCE } else { 0 }]);
                        let [low, high] = &mut lists;
                        let mut cells = [low, high].map(|list| Cell::from_mut(&mut **list).as_slice_of_cells());
                        let all = Cell::from_mut(&mut items[..]).as_slice_of_cells();
                        let stays = stays.filter(|side: &usize| rooms[*side]);
                        if let Some(side) = stays {
                            cells[side] = all;
                        }
                        let dealt = deal_to_two(isa, &all[..known], &places, cells);
                        if let Some(side) = stays {
                            lists[side] = items;
                        }
                        lists.iter_mut().zip(dealt).for_each(|(list, len)| list.truncate(len));
                        lists
                    })
                });
                let first = runs.next();
                assert!(runs.all(|run| Some(&run) == first.as_ref()));
            }
        }
    }
}
