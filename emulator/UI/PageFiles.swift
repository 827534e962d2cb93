import CPages
package import Core
import Cryptography

/// The files of the browser pages, by their paths below the folder `emulator/Pages/www`.
package struct PageFiles: Sendable {
  /// A file with its entity tag.
  package struct File: Sendable {
    package var bytes: Data
    /// The HTTP entity tag, a hash of the bytes.
    package var tag: String

    init(_ bytes: Data) {
      self.bytes = bytes
      tag = "\"\(SHA256.hexadecimal(bytes))\""
    }
  }

  private enum Source: Sendable {
    case files([String: File])
    case folder(String)
  }

  private let source: Source

  /// The files that are embedded in this binary.
  package static let embedded = PageFiles(
    source: .files(
      {
        var count = 0
        let files = UnsafeBufferPointer(start: page_files(&count), count: count)
        return Dictionary(
          uniqueKeysWithValues: files.map {
            (String(cString: $0.path), File(Data(bytes: $0.bytes, count: $0.length)))
          }
        )
      }()
    )
  )

  /// Returns the files of a folder, which are read at each request, for the development of the
  /// pages.
  package static func folder(_ path: String) -> PageFiles { PageFiles(source: .folder(path)) }

  private init(source: Source) { self.source = source }

  /// The paths of the embedded files.
  package static var embeddedPaths: [String] {
    guard case .files(let files) = embedded.source else { return [] }
    return files.keys.sorted()
  }

  /// The file at a path, or `nil` if there is none.
  ///
  /// - Parameter segments: The segments of the path. A segment that could lead out of the folder is
  ///   refused.
  package subscript(segments: [String]) -> File? {
    let path = segments.joined(separator: "/")
    switch source {
    case .files(let files): return files[path]
    case .folder(let folder):
      guard !segments.contains(where: { $0.hasPrefix(".") || $0.contains("/") }) else { return nil }
      return (try? Data(contentsOf: URL(filePath: "\(folder)/\(path)"))).map(File.init)
    }
  }
}
