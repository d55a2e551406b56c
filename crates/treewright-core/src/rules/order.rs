//! The order of the rules, the answer where none matches, and the rules that do more harm than good.

use super::Rows;
use super::generalize::Rule;

/// The rules in their order, as positions among those given: class after class, within a class the safest first.
///
/// The next class is always the one whose rules are wrong about the fewest rows that are left; its rules cover rows, and
/// what is left is judged anew.
pub fn order(rules: &[Rule], covers: &[Vec<u32>], training: Rows<'_>) -> Vec<usize> {
    let mut left = vec![true; training.target.len()];
    let mut waiting: Vec<usize> = (0..training.classes).collect();
    let mut out = Vec::with_capacity(rules.len());
    while !waiting.is_empty() {
        let wrong = |class: usize| {
            let mut seen = vec![false; left.len()];
            let rows = of_class(rules, class).flat_map(|rule| &covers[rule]).map(|&row| row as usize);
            rows.filter(|&row| left[row] && !std::mem::replace(&mut seen[row], true))
                .filter(|&row| training.target[row] as usize != class)
                .map(|row| training.weights.units[row])
                .sum::<u64>()
        };
        let place = (0..waiting.len()).min_by_key(|&at| wrong(waiting[at])).unwrap_or(0);
        let class = waiting.remove(place);
        let mut own: Vec<usize> = of_class(rules, class).collect();
        own.sort_by(|&a, &b| rules[a].expected.total_cmp(&rules[b].expected));
        own.iter().flat_map(|&rule| &covers[rule]).for_each(|&row| left[row as usize] = false);
        out.extend(own);
    }
    out
}

fn of_class(rules: &[Rule], class: usize) -> impl Iterator<Item = usize> + '_ {
    (0..rules.len()).filter(move |&rule| rules[rule].class == class)
}

/// The weight of each class among the rows that no rule covers.
pub fn uncovered(covers: &[Vec<u32>], training: Rows<'_>) -> Vec<u64> {
    let mut left = vec![true; training.target.len()];
    covers.iter().flatten().for_each(|&row| left[row as usize] = false);
    weigh(training, |row| left[row])
}

/// The weight of each class among some rows.
pub fn weigh(training: Rows<'_>, which: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut weights = vec![0; training.classes];
    for row in (0..training.target.len()).filter(|&row| which(row)) {
        weights[training.target[row] as usize] += training.weights.units[row];
    }
    weights
}

/// The class for rows that no rule covers: the heaviest among them, of equals the one that is heavier in all, then the
/// first.
pub fn fallback(uncovered: &[u64], all: &[u64]) -> usize {
    (0..all.len())
        .reduce(|best, next| if (uncovered[next], all[next]) > (uncovered[best], all[best]) { next } else { best })
        .unwrap_or(0)
}

/// Drops rules that do more harm than good, the first one first, until there is none: rows that a rule gets wrong and the
/// next one that matches would get right, against rows for which it is the other way round.
pub fn polish(ordered: &mut Vec<usize>, rules: &[Rule], covers: &[Vec<u32>], training: Rows<'_>, fallback: usize) {
    loop {
        let mut matching: Vec<[usize; 2]> = vec![[usize::MAX; 2]; training.target.len()];
        for (place, &rule) in ordered.iter().enumerate() {
            for &row in &covers[rule] {
                let [first, second] = &mut matching[row as usize];
                if *first == usize::MAX {
                    *first = place;
                } else if *second == usize::MAX {
                    *second = place;
                }
            }
        }
        let mut balance = vec![0i64; ordered.len()];
        for (row, &[first, second]) in matching.iter().enumerate().filter(|(_, places)| places[0] != usize::MAX) {
            let truth = training.target[row] as usize;
            let next = if second == usize::MAX { fallback } else { rules[ordered[second]].class };
            let (right, next_right) = (rules[ordered[first]].class == truth, next == truth);
            balance[first] += (i64::from(next_right) - i64::from(right)) * training.weights.units[row] as i64;
        }
        match balance.iter().position(|&harm| harm > 0) {
            Some(place) => ordered.remove(place),
            None => return,
        };
    }
}
