/// What the command line will have and doesn't have yet. It is refused by name: nothing is
/// silently ignored.
enum NotBuilt {
  private static let commands: Set<String> = [
    "events", "why",
  ]

  private static let options: Set<String> = [
    "--translator", "--retry", "--time-scale", "--deliver", "--inspect", "--chaos",
  ]

  /// - Parameter arguments: without the program's name.
  /// - Returns: nil if nothing of it is used.
  static func refusal(of arguments: [String]) -> String? {
    if let command = arguments.first, commands.contains(command) {
      return "\(command) is not built yet"
    }
    // What follows -- belongs to the command that exec runs.
    let own = arguments.prefix { $0 != "--" }
    let option = own.first { argument in
      options.contains(String(argument.prefix { $0 != "=" }))
    }
    return option.map { "\($0.prefix { $0 != "=" }) is not built yet" }
  }
}
