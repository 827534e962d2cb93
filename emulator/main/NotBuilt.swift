/// What the command line will have and doesn't have yet. It is refused by name: nothing is
/// silently ignored.
enum NotBuilt {
  private static let options: Set<String> = [
    "--translator"
  ]

  /// - Parameter arguments: without the program's name.
  /// - Returns: nil if nothing of it is used.
  static func refusal(of arguments: [String]) -> String? {
    // What follows -- belongs to the command that exec runs.
    let own = arguments.prefix { $0 != "--" }
    let option = own.first { argument in
      options.contains(String(argument.prefix { $0 != "=" }))
    }
    return option.map { "\($0.prefix { $0 != "=" }) is not built yet" }
  }
}
