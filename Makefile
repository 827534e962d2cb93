# make help lists the commands: the lines below that begin with `## `.
#
## make run               build, start the emulator with demo data, keep it running
## make demo              the same, and exit after the demo
## make test              all Swift tests
## make replay            replay Tests/Recordings against the release build of the functions
## make test-sdks         the clients of OpenAI, Anthropic, Google and Firebase, and Google's own tests,
##                        against the emulator; needs Python 3.10 (Tests/SDKs/README.md)
## make test-deploy       deploy.sh against a stand-in for Google Cloud; container images; the archive
## make test-ui           every page of the emulator in Chromium; needs Python 3.10
## make test-web          Firebase's Web SDK in Chromium, from npm; FIREBASE_JS=FOLDER names another copy
## make lint              check the format of Swift files, and the shell scripts
## make format            format the Swift files
## make bench             speed: functions, Firestore beside Google's emulator, listeners, accounts,
##                        Realtime Database, Cloud Storage beside fake-gcs-server, delivery,
##                        `serve` beside functions-framework;
##                        OPTIONS=--million for a million documents
## make bench-ui          each page for five minutes at 100 events a second: key latency, memory;
##                        OPTIONS="chat events --seconds 60" for less
## make soak              hours of randomized tests: transactions, races, kill -9, exports, hostile input
## make smoke-live        ask each real provider whose key is in the environment, for less than a cent;
##                        OPTIONS=--dry-run prints what would run
## make evaluate          score analyzeMessage, smartReplies and askAI; OPENAI_MODEL=… scores a model,
##                        OPTIONS=--misses lists the failed cases
## make evaluate-engines  score language detection, the phrasebook's translations, and the filter
##                        of analyzeMessage; beside CLD2 and Apertium where they are installed
## make recordings        record Tests/Recordings again, after a change to a function's requests
## make screenshots       the pictures of emulator/PAGES.md
## make protos            generate Shared/FirestoreProtos, after a change to a .proto file
## make release           an archive with install.sh, and a .deb, of the emulator and the functions, for
##                        machines without Swift

PRODUCTS := $(shell . Functions/Deployment/project.sh && products)
SOURCES = Package.swift Functions Shared emulator Tests
RELEASE = .build/release
SDKS = .build/sdks
UI = .build/ui
# Tests and benchmarks run in their folder, where emulators find no firebase.json.
IN_TESTS = cd Tests &&
PYTEST = ../$(SDKS)/bin/python -B -m pytest -q -p no:cacheprovider -p no:asyncio
FREE_PORTS = --firestore-port 0 --auth-port 0 --database-port 0 --storage-port 0 --functions-port 0 --ui-port 0 --hub-port 0

APT_PACKAGES = libcurl4-openssl-dev libre2-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev
BREW_PACKAGES = curl openssl@3 pkgconf re2 zlib

# The tools that tests run. A tool that is on the PATH isn't installed, wherever it comes from.
TOOLS = $(foreach tool,curl jq python3,$(if $(shell command -v $(tool)),,$(tool)))
APT_PACKAGES += $(TOOLS)
BREW_PACKAGES += $(filter-out curl,$(TOOLS))

# Homebrew installs curl and OpenSSL outside of pkg-config's search path.
ifeq ($(shell uname),Darwin)
export PKG_CONFIG_PATH := $(shell brew --prefix curl 2>/dev/null)/lib/pkgconfig:$(shell brew --prefix openssl@3 2>/dev/null)/lib/pkgconfig
endif

.PHONY: help run demo test replay test-sdks test-deploy test-ui test-web chromium screenshots protos python bench bench-ui smoke-live soak evaluate evaluate-engines recordings lint format binaries release dependencies clean

help:
	@sed -n 's/^## //p' Makefile

run: binaries
	@$(RELEASE)/emulator start --seed demo

demo: binaries
	@$(RELEASE)/emulator exec --seed demo $(FREE_PORTS) -- true

# --build-tests would also build unused parts of other packages, such as the protobuf compiler in C++.
# Swift Testing starts all tests at once by default, and their time limits would run while they wait
# for a core. With four tests at once for each core, each has enough time, even on a busy machine.
test: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = $(shell echo $$((4 * $$(getconf _NPROCESSORS_ONLN))))
test: dependencies
	@mkdir -p .build && touch .build/started
	swift build --product worldchat-functionsPackageTests
	@touch -r .build/started $(PROGRAMS)
	swift test --skip-build

# The debug builds of all programs, which the other tests run, too. The Swift tests' build makes
# them. A build of each program takes seconds even if nothing has changed, so this file's time is
# compared with the sources' instead.
PROGRAMS = .build/debug/programs
$(PROGRAMS): $(shell find Package.swift Functions Shared emulator Tests/EchoServer) | dependencies
	@for product in $(PRODUCTS) echoServer; do swift build --product $$product || exit 1; done
	@touch $@

# One file's tests run in one process, so that their fixtures are made once. pytest's own order would
# put the longest files last. A test that hangs times out with a stack trace.
BY_FILE = -n 2 --dist loadfile --no-loadscope-reorder --timeout 600

# Without Google's emulator the comparisons are skipped, and pytest prints what to install.
# The clients find the emulator only by the variables that exec sets. --unskip runs the tests that
# Google's suite skips on emulators; `make test-sdks UNSKIP=` skips them.
UNSKIP = --unskip
# Google's tests of its synchronous client run again as a signed-in user, under rules that allow such
# users everything.
SIGNED_IN = SDKs/rules/signed_in.rules
test-sdks: dependencies $(SDKS)/installed $(PROGRAMS)
	@$(IN_TESTS) ../.build/debug/emulator exec --no-triggers $(FREE_PORTS) -- \
	  $(PYTEST) $(BY_FILE) -rs SDKs
	@$(IN_TESTS) ../.build/debug/emulator exec --no-triggers $(FREE_PORTS) -- \
	  ../$(SDKS)/bin/python SDKs/google_system.py $(UNSKIP)

# Some tests need gcloud, skopeo, umoci, user namespaces or a release build. If that is missing,
# they are skipped, and pytest prints the reason.
test-deploy: dependencies $(SDKS)/installed
	$(IN_TESTS) $(PYTEST) $(BY_FILE) -rs Deployment

# Each test has its own emulator and browser window, and mostly waits for them, so three tests run
# at once. Without Chromium, all tests are skipped, and pytest prints the reason.
test-ui: dependencies $(UI)/installed chromium $(PROGRAMS)
	$(UI)/bin/python -B -m pytest -q -p no:cacheprovider --timeout 300 -rs -n 3 Tests/UI $(OPTIONS)

# npm's package of Firebase has the modules that browsers load from Google's servers. Without the
# package, the tests are skipped.
WEB_SDK = .build/web-sdk
FIREBASE_JS ?= $(WEB_SDK)/package
test-web: dependencies $(UI)/installed chromium $(PROGRAMS) $(filter $(WEB_SDK)/package,$(FIREBASE_JS))
	FIREBASE_JS=$(abspath $(FIREBASE_JS)) \
	  $(UI)/bin/python -B -m pytest -q -p no:cacheprovider --timeout 300 -rs -n 3 Tests/UI/test_web_sdk*.py

$(WEB_SDK)/package:
	@mkdir -p $(WEB_SDK) && cd $(WEB_SDK) \
	  && npm pack --silent --fetch-retries=0 --fetch-timeout=60000 firebase@12 >/dev/null 2>&1 \
	  && tar -xzf firebase-*.tgz \
	  || echo "npm can't download firebase@12: the tests will be skipped"

# OPTIONS=--all FOLDER=… also takes dark and narrow pictures.
FOLDER = emulator/Pages/screenshots
screenshots: dependencies $(UI)/installed chromium $(PROGRAMS)
	$(UI)/bin/python -B Tests/UI/screenshots.py $(FOLDER) $(OPTIONS)

# A failed installation isn't an error, because the tests are skipped without Chromium.
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

# The Python packages are installed again when their versions change.
$(SDKS)/installed: Tests/SDKs/requirements.txt
$(UI)/installed: Tests/UI/requirements.txt
$(SDKS)/installed $(UI)/installed:
	@$(MAKE) --no-print-directory python
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Debian's python3 has no venv of its own.
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

# The protobuf compiler comes from PyPI's grpcio-tools. Its Swift plugin comes from the version of
# swift-protobuf that the package depends on.
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

# The Swift tests run debug builds; replay runs optimized ones.
FUNCTIONS = $(filter-out emulator serve,$(PRODUCTS))
replay: dependencies $(PROGRAMS)
	@for product in $(FUNCTIONS); do swift build -c release --product $$product || exit 1; done
	.build/debug/emulator replay --functions $(RELEASE) Tests/Recordings

# The emulator takes every executable in the functions' folder for a function, so greet is moved to
# another folder.
bench: binaries $(SDKS)/installed
	@$(IN_TESTS) ../$(RELEASE)/emulator exec $(FREE_PORTS) -- python3 Benchmarks/cold_start.py
	@$(IN_TESTS) ../$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  python3 -B Benchmarks/round_trips.py ../$(RELEASE)
	@$(IN_TESTS) ../$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  python3 -B Benchmarks/invocation_cpu.py ../$(RELEASE)
	@$(IN_TESTS) ../$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  ../$(SDKS)/bin/python -B Benchmarks/everyday_chat.py
	@$(IN_TESTS) ../$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  python3 -B Benchmarks/capacity.py ../$(RELEASE)
	swift build -c release --product echoServer
	swift build -c release --product listenLoad
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/firestore_speed.py $(OPTIONS)
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/listener_speed.py
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/durability.py
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/account_speed.py
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/rules_speed.py
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/database_speed.py
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/typing_speed.py
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/storage_speed.py --memory
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/delivery_speed.py
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/provider_load.py
	@$(IN_TESTS) python3 Benchmarks/replay_speed.py ../$(RELEASE)/emulator
	swift build -c release --product greet
	@mkdir -p .build/bench && mv $(RELEASE)/greet .build/bench
	$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/serve_speed.py
	@./deploy.sh build
	@Functions/Deployment/release.sh --binaries dist --output .build/archive
	@./deploy.sh image translateMessage --binaries dist --output .build/images
	@python3 -B Tests/Benchmarks/deployment_speed.py .build/archive .build/images

bench-ui: binaries $(UI)/installed chromium
	@$(IN_TESTS) ../$(RELEASE)/emulator exec --seed demo $(FREE_PORTS) -- \
	  ../$(UI)/bin/python -B Benchmarks/page_load.py $(OPTIONS)

# CI never runs this, because it costs money.
smoke-live: binaries
	@$(IN_TESTS) python3 -B Live/smoke.py ../$(RELEASE)/emulator $(OPTIONS)

soak: binaries $(SDKS)/installed
	@$(IN_TESTS) HISTORIES=10000 RACES=10000 DOCUMENTS=100000 KILLS=2000 EVENT_KILLS=500 AUTH_KILLS=200 CHAOS_SEEDS=1000 CUTS=10000 SESSIONS=100000 \
	  DATABASE_OPERATIONS=200000 DATABASE_KILLS=200 PRESENCE_SEEDS=1000 STORAGE_KILLS=100 OBJECT_MIB=2048 \
	  HOSTILE_INPUTS=20000 RULES_RULESETS=2000 RULES_MUTANTS=20000 RULES_HOSTILE=100000 \
	  ../$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- $(PYTEST) \
	  SDKs/test_histories.py SDKs/test_races.py SDKs/test_transfer.py \
	  SDKs/test_crashes.py SDKs/test_delivery_crashes.py \
	  SDKs/test_auth_crashes.py SDKs/test_chaos.py SDKs/test_webchannel.py \
	  SDKs/test_hostile_inputs.py SDKs/test_rules.py \
	  SDKs/test_database_model.py SDKs/test_database_crashes.py SDKs/test_presence.py \
	  SDKs/test_storage_crashes.py
	@$(IN_TESTS) TEST_USER=alice ../$(RELEASE)/emulator exec --rules $(SIGNED_IN) --no-triggers $(FREE_PORTS) -- \
	  $(PYTEST) SDKs/test_differential.py SDKs/test_sequences.py \
	  SDKs/test_listen_requests.py SDKs/test_listeners.py SDKs/test_histories.py \
	  SDKs/test_races.py SDKs/test_transfer.py SDKs/test_explain.py
	@$(IN_TESTS) TEST_USER=alice ../$(RELEASE)/emulator exec --rules $(SIGNED_IN) --no-triggers $(FREE_PORTS) -- \
	  ../$(SDKS)/bin/python SDKs/google_system.py $(UNSKIP) --suite sync --suite async
	@$(IN_TESTS) ../$(SDKS)/bin/python -B Benchmarks/mixed_load.py $(OPTIONS)

# By default the emulator's rules answer. To evaluate a model, set LLM_PROVIDER, or the model's name
# or address, as a variable of make or of the environment. `emulator exec` hides these variables
# from its command, which must not spend money by mistake. So they are passed under other names.
evaluate: binaries
	@$(IN_TESTS) EVALUATION_LLM_PROVIDER="$$LLM_PROVIDER" \
	  EVALUATION_OPENAI_BASE_URL="$$OPENAI_BASE_URL" \
	  EVALUATION_OPENAI_API_KEY="$$OPENAI_API_KEY" \
	  EVALUATION_OPENAI_MODEL="$$OPENAI_MODEL" \
	  EVALUATION_ANTHROPIC_BASE_URL="$$ANTHROPIC_BASE_URL" \
	  EVALUATION_ANTHROPIC_API_KEY="$$ANTHROPIC_API_KEY" \
	  EVALUATION_ANTHROPIC_MODEL="$$ANTHROPIC_MODEL" \
	  ../$(RELEASE)/emulator exec --no-triggers $(FREE_PORTS) -- \
	  python3 -B Evaluation/evaluate.py $(OPTIONS)

# Prints only the measurements, without the test runner's other output.
evaluate-engines: dependencies
	swift build --product worldchat-functionsPackageTests
	@swift test --skip-build --filter 'LanguageEvaluationTests|TranslationEvaluationTests|CultureEvaluationTests' 2>&1 | grep -vE '^(◇|✔|\[|Test Suite|.*Executed)'
	@if [ -e /usr/include/cld2 ]; then \
	  $(CXX) -std=c++17 -o .build/cld2 Tests/Evaluation/cld2.cpp -lcld2 \
	  && for file in Tests/Evaluation/languages*.tsv; do .build/cld2 < $$file; done; \
	fi

# scenario.py plays invented people and is recorded. From these recordings, failures.py makes others
# with failing providers and invalid events.
RECORDINGS = Tests/Recordings
recordings: binaries
	rm -rf $(RECORDINGS)/*/
	$(IN_TESTS) ../$(RELEASE)/emulator exec $(FREE_PORTS) -- \
	  ../$(RELEASE)/emulator record Recordings -- python3 Recordings/scenario.py
	python3 $(RECORDINGS)/failures.py
	$(RELEASE)/emulator replay --update $(RECORDINGS)

# shellcheck checks the other scripts as parts of deploy.sh, which sources them.
SCRIPTS = deploy.sh .ci/run $(shell grep -l '^\#!' Functions/Deployment/*.sh)
lint:
	swift format lint --strict --parallel --recursive $(SOURCES) \
	  || { echo "fix it with: make format" >&2; exit 1; }
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

# Installs the system packages that are missing, and prints their names.
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
	  echo "neither apt nor Homebrew is installed: install libcurl, libcrypto, RE2, SQLite and zlib with their headers"; \
	fi

clean:
	rm -rf .build dist
