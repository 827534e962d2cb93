/// What a query requires of a field's value.
package struct Constraint: Sendable {}
