import Core
import FirestoreModel

/// A reader of lines in memory, which are a whole file or a part of it. The documents may be in any
/// order.
final class LinesInMemory: DocumentReader {
  private var rest: Data
  private let database: DatabaseName
  /// The number of the next line.
  private var number: Int

  /// - Parameter firstLine: The number that the first line has in its file.
  init(_ lines: Data, firstLine: Int, as database: DatabaseName) {
    rest = lines
    self.database = database
    number = firstLine
  }

  func next() throws(StatusError) -> ReadDocument? {
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = rest[..<end]
      let place = "line \(number)"
      rest = rest[end...].dropFirst()
      number += 1
      guard !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) else {
        continue
      }
      return ReadDocument(
        document: try DocumentLine.read(Data(line), of: database, at: place),
        bytes: line.count,
        place: place
      )
    }
    return nil
  }
}
