import Core

/// A request's body that libcurl can read once. It's used on the transfer thread only.
final class SingleUseBody {
  private var rest: Data

  init(_ body: Data) { rest = body }

  /// Hands out the next bytes.
  ///
  /// - Returns: how many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = rest.prefix(buffer.count)
    buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}
