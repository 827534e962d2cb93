/// The text that `--help` prints.
enum FunctionHelp {
  /// Returns the help text of a function.
  ///
  /// - Parameter name: The name of the function's program.
  static func text(for name: String) -> String {
    """
    OVERVIEW: Handle one event or call of the function \(name).

    Reads one JSON value (up to 10 MiB) from stdin: a CloudEvent, a call
    {"data":{…},"auth":{"uid":"…"}}, or the call's bare data. Prints one line of
    JSON with the result to stdout, and logs JSON lines to stderr.

    USAGE: \(name) [--worker | --describe | --serve [<options>] | --help]

    OPTIONS:
      (none)      Handle one value and exit.
      --worker    Handle one value per line until the end of the input or SIGTERM.
      --describe  Print the manifest: triggers, variables, secrets and limits.
      --serve     Serve the function over HTTP; see --serve --help.
      -h, --help  Show this text.

    EXIT CODES:
      0   done or skipped        75  temporary failure: try again
      64  wrong command line     77  the caller lacks permission
      65  bad event              78  variable, key or index missing; key refused
      70  a bug

    EXAMPLES:
      \(name) --describe
      \(name) < event.json
    """
  }
}
