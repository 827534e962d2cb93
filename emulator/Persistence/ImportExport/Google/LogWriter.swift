import Core
import Cryptography

/// A writer of records to a file in the format `LogFormat`.
struct LogWriter {
  private let file: FileOutput

  init(path: String) throws(StatusError) { file = try FileOutput(path: path) }

  /// The length of the file in bytes.
  var byteCount: Int { file.count }

  func append(_ record: Data) throws(StatusError) {
    var rest = record[...]
    var isFirst = true
    repeat {
      var room = LogFormat.blockBytes - file.count % LogFormat.blockBytes
      if room < LogFormat.headerBytes {
        try file.write([UInt8](repeating: 0, count: room))
        room = LogFormat.blockBytes
      }
      let fragment = rest.prefix(room - LogFormat.headerBytes)
      rest = rest.dropFirst(fragment.count)
      let type: LogFormat.FragmentType =
        switch (isFirst, rest.isEmpty) {
        case (true, true): .full
        case (true, false): .first
        case (false, false): .middle
        case (false, true): .last
        }
      try write(fragment, type)
      isFirst = false
    } while !rest.isEmpty
  }

  func finish() throws(StatusError) { _ = try file.finish() }

  private func write(_ data: Data, _ type: LogFormat.FragmentType) throws(StatusError) {
    let checked = CollectionOfOne(type.rawValue) + data
    let checksum = CRC32C.masked(checked)
    let header = [
      UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8),
      UInt8(truncatingIfNeeded: checksum >> 16), UInt8(truncatingIfNeeded: checksum >> 24),
      UInt8(truncatingIfNeeded: data.count), UInt8(truncatingIfNeeded: data.count >> 8),
    ]
    try file.write(header)
    try file.write(checked)
  }
}
