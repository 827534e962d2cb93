package import Core
package import FunctionHost

/// The folders that are searched for functions.
package struct FunctionFolders: Sendable {
  /// A file that may be a function.
  package struct File: Sendable, Hashable {
    package var identity: FileIdentity
    package var isExecutable: Bool
  }

  private static let libraries = [".so", ".dylib", ".xctest"]

  package let paths: [String]
  private let environment: [String: String]
  private let excluded: Set<String>

  /// - Parameters:
  ///   - environment: The environment variables for the executables.
  ///   - excluded: The paths of files that are never run, such as the emulator's, with symbolic
  ///     links resolved.
  package init(
    _ paths: [String],
    environment: [String: String],
    excluding excluded: Set<String> = []
  ) {
    self.paths = paths
    self.environment = environment
    self.excluded = excluded
  }

  // MARK: Files

  /// Returns the files of all folders, by path.
  ///
  /// - Throws: `NOT_FOUND` if a folder can't be read.
  package func files() throws(StatusError) -> [String: File] {
    var files: [String: File] = [:]
    for folder in paths {
      for (path, file) in try self.files(in: folder) { files[path] = file }
    }
    return files
  }

  /// Returns the regular files of a folder, sorted by name. A build folder also holds libraries and
  /// test bundles, and editors leave hidden files and copies with a tilde: these are left out.
  func files(in folder: String) throws(StatusError) -> [(path: String, file: File)] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw StatusError(.notFound, "the functions' folder \(folder) can't be read")
    }
    let candidates = names.filter { name in
      !name.hasPrefix(".") && !name.hasSuffix("~")
        && !Self.libraries.contains(where: name.hasSuffix)
    }
    return candidates.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      return Self.file(path).map { (path, $0) }
    }.filter { !isExcluded($0.path) }
  }

  /// Returns the regular file at a path, or `nil` if there is none.
  package static func file(_ path: String) -> File? {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      let identity = FileIdentity(path)
    else { return nil }
    return File(identity: identity, isExecutable: access(path, X_OK) == 0)
  }

  private func isExcluded(_ path: String) -> Bool {
    !excluded.isEmpty && excluded.contains(path.resolvedPath ?? path)
  }

  /// Returns a Boolean value that indicates whether a file begins with `#!`, as scripts do.
  package static func isScript(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var start: [UInt8] = [0, 0]
    return read(file, &start, 2) == 2 && start.elementsEqual("#!".utf8)
  }

  // MARK: Functions

  /// Runs an executable file with `--describe`. On a busy machine it may not answer in time: then it
  /// is run once more, with more time.
  package func describe(_ path: String) async -> Result<InstalledFunction, StatusError> {
    let result = await describe(path, within: 2)
    guard case .failure(let error) = result, error.code == .deadlineExceeded else { return result }
    return await describe(path, within: 10)
  }

  func describe(
    _ path: String,
    within seconds: Int
  ) async -> Result<InstalledFunction, StatusError> {
    let command = Command(executable: path, environment: environment)
    do throws(StatusError) {
      return .success(try await InstalledFunction(describing: command, within: seconds))
    } catch {
      return .failure(error)
    }
  }
}
