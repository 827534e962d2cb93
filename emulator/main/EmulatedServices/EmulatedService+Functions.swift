import FunctionRuntime
import Services

extension EmulatedService {
  /// The functions, and the fakes of the providers that they call.
  static let functions = EmulatedService(
    name: .functions,
    title: "Functions",
    defaultPort: 5001,
    portOption: \.services.functionsPort,
    hostVariable: "FUNCTIONS_EMULATOR_HOST",
    otherVariables: { address in
      let providers = "http://\(address)/providers"
      return [
        "TRANSLATION_BASE_URL": providers,
        "FCM_BASE_URL": providers,
        "OPENAI_BASE_URL": "\(providers)/v1",
        "ANTHROPIC_BASE_URL": providers,
      ]
    },
    make: { components in
      let functions = FunctionsService(
        project: components.configuration.project,
        accounts: components.accounts,
        dispatcher: components.dispatcher,
        fakes: components.fakes
      )
      let observed = ProviderCallMiddleware(
        functions,
        dispatcher: components.dispatcher,
        now: components.sources.now
      )
      return Protocols(http: components.observed(observed))
    }
  )
}
