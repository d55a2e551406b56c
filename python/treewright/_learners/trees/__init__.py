"""Single trees and rule sets: ID3, C4.5, CART."""
