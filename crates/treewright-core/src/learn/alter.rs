//! Classes that count unlike each other: folded into the weights before a tree grows, and taken out again where they
//! should steer the growing only (the altered priors of Breiman et al. 1984, 4.4).

use super::recipe::Target;
use crate::model::tree::Tree;

/// The weight of each row times the factors of its class; None where nothing changes. An empty list is 1 for each class.
pub fn altered(weights: Option<&[f64]>, target: Target<'_>, factors: &[&[f64]]) -> Option<Vec<f64>> {
    let Target::Classes { codes, .. } = target else { return None };
    if factors.iter().all(|list| list.iter().all(|factor| *factor == 1.0)) {
        return None;
    }
    let weight = |(row, &code): (usize, &u32)| {
        let weight = weights.map_or(1.0, |weights| weights[row]);
        let factor = |list: &&&[f64]| list.get(code as usize).copied().unwrap_or(1.0);
        factors.iter().map(|list| factor(&list)).fold(weight, |product, factor| product * factor)
    };
    Some(codes.iter().enumerate().map(weight).collect())
}

/// Gives the nodes the weights and shares that they have without these factors; costs and gains keep them.
pub fn restore(tree: &mut Tree, factors: &[f64]) {
    if factors.iter().all(|factor| *factor == 1.0) {
        return;
    }
    for (weight, value) in tree.weight.iter_mut().zip(tree.value.chunks_exact_mut(tree.outputs)) {
        value.iter_mut().zip(factors).for_each(|(share, factor)| *share /= factor);
        let total: f64 = value.iter().sum();
        value.iter_mut().for_each(|share| *share /= total);
        *weight *= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tree::Leaf;

    #[test]
    fn what_was_folded_in_comes_out() {
        let codes = [0, 0, 0, 1];
        let target = Target::Classes { codes: &codes, classes: 2 };
        let folded = altered(Some(&[1.0, 1.0, 2.0, 4.0]), target, &[&[], &[3.0, 0.5]]).unwrap_or_default();
        assert_eq!(folded, vec![3.0, 3.0, 6.0, 2.0]);
        let mut tree = Tree::new(2);
        tree.push(Leaf { value: &[12.0 / 14.0, 2.0 / 14.0], weight: 14.0, count: 4, cost: 1.0 });
        restore(&mut tree, &[3.0, 0.5]);
        assert!((tree.weight[0] - 8.0).abs() < 1e-12 && (tree.value[1] - 0.5).abs() < 1e-12);
        assert_eq!(altered(None, target, &[&[1.0, 1.0], &[]]), None);
    }
}
