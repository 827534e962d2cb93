import Core

/// A request body that libcurl can read only once. It is used only on the transfer thread.
final class SingleUseBody {
  private var rest: Data

  init(_ body: Data) { rest = body }

  /// Copies the next bytes into a buffer.
  ///
  /// - Returns: The number of bytes copied; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = rest.prefix(buffer.count)
    buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}
