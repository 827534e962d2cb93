/// The composite indexes of `firestore.indexes.json`: with them, a query that production would
/// refuse for want of one is refused here.
package struct IndexConfiguration: Sendable {}
