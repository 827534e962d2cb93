import Platform

/// Where access tokens are kept for a user's other processes.
package enum TokenFolder {
  package static let variable = "GOOGLE_TOKEN_CACHE"
  private static let name = "worldchat-functions"

  /// The folder, nil if nothing is to be kept.
  ///
  /// Environment: `GOOGLE_TOKEN_CACHE`, a folder, or `off`. By default a folder of ours where the
  /// user's caches are (`XDG_CACHE_HOME`, else `~/.cache`, on macOS `~/Library/Caches`); and for a
  /// user without a home, where temporary files are (`TMPDIR`).
  package static func path(environment: [String: String]) -> String? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    /// The specification of XDG has relative ones ignored.
    func folder(_ name: String) -> String? { value(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let named = value(variable) { return named == "off" ? nil : named }
    if let caches = folder("XDG_CACHE_HOME") { return "\(caches)/\(name)" }
    if let home = folder("HOME"), home != "/" {
      #if canImport(Darwin)
        return "\(home)/Library/Caches/\(name)"
      #else
        return "\(home)/.cache/\(name)"
      #endif
    }
    return "\(folder("TMPDIR") ?? "/tmp")/\(name)-\(geteuid())"
  }
}
