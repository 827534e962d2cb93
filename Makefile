# Two commands do everything: `make run` and `make test`.
#
#   make run        build once, start the emulator with demo data, keep it running
#   make demo       the same, and end when the story is told
#   make test       all tests
#   make replay     the recorded invocations, by the release build of the functions
#   make test-sdks  the clients of OpenAI, Anthropic and Google against the emulator, and Google's
#                   emulator beside it; needs Python 3.10. See Tests/SDKs/README.md
#   make test-deploy  deploy.sh against a stand-in for Google's cloud and gcloud's own parser, container
#                   images, and the archive for machines without Swift
#   make test-ui    every page of the emulator in a real Chromium; needs Python 3.10 and, beside apt, a
#                   Chromium. See Tests/UI
#   make protos     the Swift code of Shared/FirestoreProtos, after a change to its .proto files
#   make bench      what functions cost as processes, against a bare python3; what an invocation
#                   asks of Firestore, and its CPU in a worker; ten thousand messages of everyday
#                   chat, what is paid for them, and what the cache saves; Firestore beside
#                   Google's emulator, OPTIONS=--million for a million documents; listeners; what
#                   --data costs; a thousand replays; a service under load beside
#                   functions-framework
#   make bench-ui   five minutes of each page in a browser, with 100 events a second arriving: how long
#                   keys take, whether memory grows; OPTIONS="chat events --seconds 60" for less
#   make smoke-live whether the functions still understand the real providers: of each whose key is
#                   in the shell, for less than a cent; OPTIONS=--dry-run tells what would run
#   make soak       ten thousand histories of concurrent transactions, as many writes that race a
#                   new listener, a hundred thousand documents through exports, two thousand times
#                   kill -9, twenty thousand odd events, calls and requests, minutes of mixed load
#   make evaluate   how good the functions that ask a model are: OPENAI_MODEL=… for yours,
#                   OPTIONS=--misses for the cases they missed
#   make evaluate-engines  how often the language of a message is told, beside CLD2 where Debian's
#                   libcld2-dev is installed; how near translations come to our references,
#                   Apertium's too where its directions are installed; and which messages
#                   analyzeMessage asks a model about
#   make recordings Tests/Recordings anew, after a change to what functions ask a provider
#   make release    one archive with the emulator and the functions, for machines without Swift
#   make lint       format rules and shell scripts; `make format` mends the former

PRODUCTS := $(shell . Functions/Deployment/project.sh && products)
SOURCES = Package.swift Functions Shared emulator Tests
RELEASE = .build/release
SDKS = .build/sdks
UI = .build/ui
PYTEST = $(SDKS)/bin/python -B -m pytest -q -p no:cacheprovider -p no:asyncio
FREE_PORTS = --firestore-port 0 --functions-port 0 --ui-port 0 --hub-port 0

APT_PACKAGES = libcurl4-openssl-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev
BREW_PACKAGES = curl openssl@3 pkgconf zlib

# Tests need these, whichever they are: many machines have some that no package manager put there.
TOOLS = $(foreach tool,curl jq python3,$(if $(shell command -v $(tool)),,$(tool)))
APT_PACKAGES += $(TOOLS)
BREW_PACKAGES += $(filter-out curl,$(TOOLS))

# Homebrew keeps both where nothing finds them unasked.
ifeq ($(shell uname),Darwin)
export PKG_CONFIG_PATH := $(shell brew --prefix curl 2>/dev/null)/lib/pkgconfig:$(shell brew --prefix openssl@3 2>/dev/null)/lib/pkgconfig
endif

.PHONY: run demo test replay test-sdks test-deploy test-ui chromium screenshots protos python bench bench-ui smoke-live soak evaluate evaluate-engines recordings lint format binaries release dependencies clean

run: binaries
	@$(RELEASE)/emulator start --seed demo

demo: binaries
	@$(RELEASE)/emulator exec --seed demo $(FREE_PORTS) -- true

# The product is what the tests need and no more: --build-tests would also build what no one uses
# of other packages, the compiler of protocol buffers in C++ among it.
# Swift Testing would start all tests at once, and the time of each would pass while it waits for the
# others: so many at once for each core leave it enough, on a busy machine, too.
test: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = $(shell echo $$((4 * $$(getconf _NPROCESSORS_ONLN))))
test: dependencies
	swift build --product worldchat-functionsPackageTests
	swift test --skip-build

# By files, as what a file's tests share is made once then; in their order, as those that take longest
# would be last by pytest's own.
# What hangs ends, and says where.
BY_FILE = -n 2 --dist loadfile --no-loadscope-reorder --timeout 600

# The clients find the emulator by the variables that exec sets, and by nothing else. Google's tests
# run without the skips that they have for emulators; UNSKIP= leaves them in.
UNSKIP = --unskip
test-sdks: dependencies $(SDKS)/installed
	swift build --product emulator
	swift build --product translateMessage
	swift build --product sendNotification
	swift build --product analyzeMessage
	swift build --product smartReplies
	swift build --product askAI
	swift build --product forgetUser
	swift build --product serve
	swift build --product echoServer
	@.build/debug/emulator exec --no-triggers $(FREE_PORTS) -- \
	  $(PYTEST) $(BY_FILE) Tests/SDKs
	@.build/debug/emulator exec --no-triggers $(FREE_PORTS) -- \
	  $(SDKS)/bin/python Tests/SDKs/google_system.py $(UNSKIP)

# Without gcloud, skopeo, umoci, the right to have namespaces or a release build some are skipped, and
# say so.
test-deploy: dependencies $(SDKS)/installed
	$(PYTEST) $(BY_FILE) -rs Tests/Deployment

# Each test has an emulator and a browser window of its own, and mostly waits for them; without a
# Chromium all are skipped.
test-ui: dependencies $(UI)/installed chromium
	@for product in $(PRODUCTS); do swift build --product $$product || exit 1; done
	$(UI)/bin/python -B -m pytest -q -p no:cacheprovider --timeout 300 -rs -n 3 Tests/UI $(OPTIONS)

# Pictures of every page: those of emulator/PAGES.md, or with OPTIONS=--all in all looks to FOLDER.
FOLDER = emulator/Pages/screenshots
screenshots: dependencies $(UI)/installed chromium
	@for product in $(PRODUCTS); do swift build --product $$product || exit 1; done
	$(UI)/bin/python -B Tests/UI/screenshots.py $(FOLDER) $(OPTIONS)

# The tests say so if there is none all the same.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  if command -v apt-get >/dev/null; then \
	    echo "installing with apt: chromium"; \
	    sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    $$sudo apt-get update -qq \
	      && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium \
	        >/dev/null || echo "chromium could not be installed: the tests will be skipped"; \
	  else \
	    echo "there is no Chromium: the tests will be skipped"; \
	  fi; \
	}

# Made anew when the packages' versions change.
$(SDKS)/installed: Tests/SDKs/requirements.txt
$(UI)/installed: Tests/UI/requirements.txt
$(SDKS)/installed $(UI)/installed:
	@$(MAKE) --no-print-directory python
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# A bare Debian has a python3 that can't make environments.
python:
	@python3 -c 'import ensurepip, venv' 2>/dev/null || { \
	  if command -v apt-get >/dev/null; then \
	    echo "installing with apt: python3-venv"; \
	    sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    $$sudo apt-get update -qq \
	      && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv \
	        >/dev/null; \
	  else \
	    echo "Python 3.10 or later with venv is missing: https://www.python.org" >&2; exit 1; \
	  fi; \
	}

# The compiler is the one of PyPI's grpcio-tools, the plugin that of the swift-protobuf we link.
PROTOS = Shared/FirestoreProtos
protos: dependencies $(SDKS)/installed
	swift build --product protoc-gen-swift
	rm -f $(PROTOS)/Generated/*.pb.swift
	$(SDKS)/bin/python -m grpc_tools.protoc -I$(PROTOS)/Protos \
	  --plugin=.build/debug/protoc-gen-swift --swift_out=$(PROTOS)/Generated \
	  --swift_opt=Visibility=Package,UseAccessLevelOnImports=true,FileNaming=DropPath \
	  $$(cd $(PROTOS)/Protos && find . -name '*.proto' | sed 's|^\./||' | sort)
	sed -i.bak -f $(PROTOS)/Protos/byte-keys.sed \
	  $$(grep -l 'Dictionary<String,' $(PROTOS)/Generated/*.pb.swift)
	rm -f $(PROTOS)/Generated/*.bak

# Optimized code is other code than what the tests run.
FUNCTIONS = $(filter-out emulator serve,$(PRODUCTS))
replay: dependencies
	@for product in $(FUNCTIONS); do swift build -c release --product $$product || exit 1; done
	swift build --product emulator
	.build/debug/emulator replay --functions $(RELEASE) Tests/Recordings

# Whatever lies beside the functions is one: the benchmark's own goes elsewhere.
bench: binaries $(SDKS)/installed
	@$(RELEASE)/emulator exec $(FREE_PORTS) -- python3 Tests/Benchmarks/cold_start.py
	@$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  python3 -B Tests/Benchmarks/round_trips.py $(RELEASE)
	@$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  python3 -B Tests/Benchmarks/invocation_cpu.py $(RELEASE)
	@$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  $(SDKS)/bin/python -B Tests/Benchmarks/everyday_chat.py
	@$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  python3 -B Tests/Benchmarks/capacity.py $(RELEASE)
	swift build -c release --product echoServer
	swift build -c release --product listenLoad
	@$(SDKS)/bin/python -B Tests/Benchmarks/firestore_speed.py $(OPTIONS)
	@$(SDKS)/bin/python -B Tests/Benchmarks/listener_speed.py
	@$(SDKS)/bin/python -B Tests/Benchmarks/durability.py
	@$(SDKS)/bin/python -B Tests/Benchmarks/delivery_speed.py
	@$(SDKS)/bin/python -B Tests/Benchmarks/provider_load.py
	@python3 Tests/Benchmarks/replay_speed.py $(RELEASE)/emulator
	swift build -c release --product greet
	@mkdir -p .build/bench && mv $(RELEASE)/greet .build/bench
	$(SDKS)/bin/python -B Tests/Benchmarks/serve_speed.py
	@./deploy.sh build
	@Functions/Deployment/release.sh --binaries dist --output .build/archive
	@./deploy.sh image translateMessage --binaries dist --output .build/images
	@python3 -B Tests/Benchmarks/deployment_speed.py .build/archive .build/images

bench-ui: binaries $(UI)/installed chromium
	@$(RELEASE)/emulator exec --seed demo $(FREE_PORTS) -- \
	  $(UI)/bin/python -B Tests/Benchmarks/page_load.py $(OPTIONS)

# Never run by CI: it costs money.
smoke-live: binaries
	@python3 -B Tests/Live/smoke.py $(RELEASE)/emulator $(OPTIONS)

soak: binaries $(SDKS)/installed
	@HISTORIES=10000 RACES=10000 DOCUMENTS=100000 KILLS=2000 EVENT_KILLS=500 CHAOS_SEEDS=1000 \
	  HOSTILE_INPUTS=20000 \
	  $(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- $(PYTEST) \
	  Tests/SDKs/test_histories.py Tests/SDKs/test_races.py Tests/SDKs/test_transfer.py \
	  Tests/SDKs/test_crashes.py Tests/SDKs/test_delivery_crashes.py Tests/SDKs/test_chaos.py \
	  Tests/SDKs/test_hostile_inputs.py
	@$(SDKS)/bin/python -B Tests/Benchmarks/mixed_load.py $(OPTIONS)

# Without more the emulator's engine answers. A model of yours is asked if its name, its address or
# LLM_PROVIDER is set, here or in the shell. The variables travel under other names: exec keeps the
# real ones from its command, which must not spend money unasked.
evaluate: binaries
	@EVALUATION_LLM_PROVIDER="$$LLM_PROVIDER" \
	  EVALUATION_OPENAI_BASE_URL="$$OPENAI_BASE_URL" \
	  EVALUATION_OPENAI_API_KEY="$$OPENAI_API_KEY" \
	  EVALUATION_OPENAI_MODEL="$$OPENAI_MODEL" \
	  EVALUATION_ANTHROPIC_BASE_URL="$$ANTHROPIC_BASE_URL" \
	  EVALUATION_ANTHROPIC_API_KEY="$$ANTHROPIC_API_KEY" \
	  EVALUATION_ANTHROPIC_MODEL="$$ANTHROPIC_MODEL" \
	  $(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  python3 -B Tests/Evaluation/evaluate.py $(OPTIONS)

# Tests print what they measure; the rest of their output is left out.
evaluate-engines: dependencies
	swift build --product worldchat-functionsPackageTests
	@swift test --skip-build --filter 'LanguageEvaluationTests|TranslationEvaluationTests|CultureEvaluationTests' 2>&1 | grep -vE '^(◇|✔|\[|Test Suite|.*Executed)'
	@if [ -e /usr/include/cld2 ]; then \
	  $(CXX) -std=c++17 -o .build/cld2 Tests/Evaluation/cld2.cpp -lcld2 \
	  && for file in Tests/Evaluation/languages*.tsv; do .build/cld2 < $$file; done; \
	fi

# Recorded of people who don't exist; failures are made of these.
RECORDINGS = Tests/Recordings
recordings: binaries
	rm -rf $(RECORDINGS)/*/
	$(RELEASE)/emulator exec $(FREE_PORTS) -- \
	  $(RELEASE)/emulator record $(RECORDINGS) -- python3 $(RECORDINGS)/scenario.py
	python3 $(RECORDINGS)/failures.py
	$(RELEASE)/emulator replay --update $(RECORDINGS)

# The others are parts of deploy.sh, and shellcheck looks at them in it.
SCRIPTS = deploy.sh .ci/run $(shell grep -l '^\#!' Functions/Deployment/*.sh)
lint:
	swift format lint --strict --parallel --recursive $(SOURCES) \
	  || { echo "mend it with: make format" >&2; exit 1; }
	@for script in $(SCRIPTS) Functions/Deployment/*.sh; do bash -n $$script || exit 1; done
	@if command -v shellcheck >/dev/null; then shellcheck -x $(SCRIPTS); \
	  else echo "shellcheck is not installed: the scripts were only parsed"; fi

format:
	swift format --in-place --parallel --recursive $(SOURCES)

binaries: dependencies
	@for product in $(PRODUCTS); do \
	  swift build -c release --product $$product || exit 1; \
	done

release: dependencies
	@Functions/Deployment/release.sh

# Installs only what is missing, and says what.
dependencies:
	@command -v swift >/dev/null || { \
	  echo "Swift 6.2 or later is missing: https://www.swift.org/install" >&2; exit 1; }
	@if [ "$$(uname)" = Darwin ]; then \
	  missing=; \
	  for name in $(BREW_PACKAGES); do \
	    brew list --versions $$name >/dev/null 2>&1 || missing="$$missing $$name"; \
	  done; \
	  if [ -n "$$missing" ]; then \
	    echo "installing with Homebrew:$$missing"; brew install $$missing; \
	  fi; \
	elif command -v dpkg-query >/dev/null; then \
	  missing=; \
	  for name in $(APT_PACKAGES); do \
	    dpkg-query -W -f '$${Status}' $$name 2>/dev/null | grep -q 'ok installed' \
	      || missing="$$missing $$name"; \
	  done; \
	  if [ -n "$$missing" ]; then \
	    echo "installing with apt:$$missing"; \
	    sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	    $$sudo apt-get update -qq \
	      && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing \
	        >/dev/null; \
	  fi; \
	else \
	  echo "neither apt nor Homebrew: libcurl and libcrypto with headers must be there"; \
	fi

clean:
	rm -rf .build dist
