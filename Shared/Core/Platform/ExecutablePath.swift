#if canImport(Darwin)
  import MachO
#endif

/// The absolute path of this program's file, without symbolic links, or `nil` if it is unknown. It
/// doesn't depend on how the program was started, except on Linux without /proc.
package var executablePath: String? {
  #if canImport(Darwin)
    var size: UInt32 = 0
    _ = _NSGetExecutablePath(nil, &size)
    var path = [CChar](repeating: 0, count: Int(size))
    guard _NSGetExecutablePath(&path, &size) == 0 else { return nil }
    return path.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { String(cString: $0).resolvedPath }
    }
  #else
    if let path = "/proc/self/exe".resolvedPath { return path }
    guard let name = CommandLine.arguments.first, name.contains("/") else { return nil }
    return name.resolvedPath
  #endif
}
