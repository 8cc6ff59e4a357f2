package gatebook.command.rules.file;

import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.ForeignErrors;
import gatebook.command.rules.Source.Kind;
import gatebook.command.rules.SourceProgram;
import gatebook.events.call.Exposure;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads one source of the section {@code sources}. */
final class SourceReader {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9.-][A-Za-z0-9._-]{0,127}");
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:/-]{0,64}");

  private static final Pattern LIKE_VERSION = Pattern.compile("[vV][0-9]+(\\.[0-9]+)*");

  private static final List<String> KEYS =
      List.of(
          "id",
          "kind",
          "url",
          "command",
          "environment",
          "directory",
          "prefix",
          "enabled",
          "description",
          "expose",
          "idempotent",
          "headers",
          "errors",
          "connect_timeout",
          "timeout");

  /** The default for programs, which may have to be downloaded before they run. */
  private static final long PROGRAM_CONNECT_MILLIS = 60_000;

  private static final Map<String, Kind> KINDS = EnumWords.of(Kind.class);

  private static final Map<String, Exposure> MODES = EnumWords.of(Exposure.class);

  private final YamlValue yamlValue;
  private final StrictMapping strictMapping;
  private final GatewayLimits gatewayLimits;

  private SourceReader(
      YamlValue yamlValue, StrictMapping strictMapping, GatewayLimits gatewayLimits) {
    this.yamlValue = yamlValue;
    this.strictMapping = strictMapping;
    this.gatewayLimits = gatewayLimits;
  }

  /** A source and the nodes of it, its id and its prefix. */
  record Draft(Source source, YamlValue value, YamlValue id, YamlValue prefix) {}

  static Optional<Draft> read(YamlValue yamlValue, GatewayLimits gatewayLimits) {
    return yamlValue
        .keys(KEYS)
        .map(strictMapping -> new SourceReader(yamlValue, strictMapping, gatewayLimits).draft());
  }

  private Draft draft() {
    String id =
        strictMapping.require("id", "a name for the source").flatMap(SourceReader::id).orElse("");
    Optional<Kind> kind = kind();
    if (kind.filter(Kind.A2A::equals).isPresent()) {
      strictMapping.get("id").ifPresent(SourceReader::checkAgentId);
      rejectKeys(Kind.A2A, List.of("prefix"));
    }
    Optional<SourceProgram> program = program(kind);
    strictMapping.get("description").ifPresent(YamlValue::anyText);
    OptionalLong timeout = millis("timeout", Limit.ANSWER_MILLIS_MAX);
    return new Draft(
        new Source(
            id,
            kind.orElse(Kind.MCP),
            url(kind).orElse(null),
            program.orElse(null),
            prefix(id, kind),
            strictMapping.get("enabled").flatMap(YamlValue::bool).orElse(true),
            strictMapping.get("expose").map(SourceReader::expose).orElse(ExposeRules.ALL),
            idempotent(kind),
            Headers.read(strictMapping.get("headers")),
            errors(kind.orElse(Kind.MCP)),
            millis("connect_timeout", Limit.CONNECT_MILLIS_MAX)
                .orElse(
                    program.isPresent()
                        ? PROGRAM_CONNECT_MILLIS
                        : gatewayLimits.get(Limit.CONNECT_MILLIS_MAX)),
            timeout.orElse(gatewayLimits.get(Limit.ANSWER_MILLIS_MAX)),
            timeout.orElse(
                kind.filter(Kind.A2A::equals).isPresent()
                    ? gatewayLimits.get(Limit.AGENT_MESSAGE_MILLIS_MAX)
                    : gatewayLimits.get(Limit.ANSWER_MILLIS_MAX))),
        yamlValue,
        strictMapping.get("id").orElse(yamlValue),
        strictMapping.get("prefix").orElse(yamlValue));
  }

  private static Optional<String> id(YamlValue yamlValue) {
    Optional<String> text = yamlValue.text();
    if (text.isPresent() && text.get().startsWith("_")) {
      yamlValue.mistake("must not begin with '_', which is reserved");
    } else if (text.isPresent() && !ID.matcher(text.get()).matches()) {
      yamlValue.mistake("must be 1 to 128 letters, digits, '.', '_' or '-'");
    }
    return text;
  }

  /** An agent's id is a part of the paths at which callers reach it. */
  private static void checkAgentId(YamlValue yamlValue) {
    Optional<String> id = yamlValue.anyText();
    if (id.filter(text -> LIKE_VERSION.matcher(text).matches()).isPresent()) {
      yamlValue.mistake("looks like a version in the paths of agents: choose another");
    } else if (id.filter(text -> text.startsWith(".")).isPresent()) {
      yamlValue.mistake("begins with '.', and is a part of the agent's path: choose another");
    }
  }

  private Optional<Kind> kind() {
    return strictMapping
        .require("kind", "kind: mcp, jsonrpc, a2a or demo")
        .flatMap(it -> it.oneOf(KINDS));
  }

  /** An agent's names begin with its id, which has no slash in it. */
  private String prefix(String id, Optional<Kind> kind) {
    return kind.filter(Kind.A2A::equals).isPresent()
        ? id + "/"
        : strictMapping.get("prefix").flatMap(SourceReader::prefix).orElse("");
  }

  private Optional<SourceProgram> program(Optional<Kind> kind) {
    Optional<YamlValue> command = strictMapping.get(ProgramReader.COMMAND);
    if (kind.isPresent() && kind.get() != Kind.MCP) {
      rejectKeys(kind.get(), List.of(ProgramReader.COMMAND));
      rejectKeys(kind.get(), ProgramReader.OPTIONAL_KEYS);
    } else if (command.isPresent()) {
      command
          .filter(_ -> strictMapping.get("url").isPresent())
          .ifPresent(it -> it.mistake("stands beside 'url': keep one of them"));
      rejectKeys("a source with a 'command'", List.of("headers"));
    } else {
      rejectKeys("a source without a 'command'", ProgramReader.OPTIONAL_KEYS);
    }
    return command.map(it -> ProgramReader.read(it, strictMapping));
  }

  private void rejectKeys(Kind kind, List<String> names) {
    rejectKeys("a source of kind " + kind.name().toLowerCase(Locale.ROOT), names);
  }

  private void rejectKeys(String what, List<String> names) {
    for (String name : names) {
      strictMapping
          .get(name)
          .ifPresent(it -> it.mistake("has no meaning for %s: leave it out".formatted(what)));
    }
  }

  private Optional<URI> url(Optional<Kind> kind) {
    if (kind.isPresent() && kind.get() == Kind.DEMO) {
      rejectKeys(Kind.DEMO, List.of("url", "headers", "connect_timeout", "timeout"));
      return Optional.empty();
    }
    Optional<YamlValue> url =
        kind.isEmpty() || strictMapping.get(ProgramReader.COMMAND).isPresent()
            ? strictMapping.get("url")
            : strictMapping.require("url", urlHint(kind.get()));
    return url.flatMap(SourceUrl::read);
  }

  private static String urlHint(Kind kind) {
    String url = "url: http://… or https://…";
    return kind == Kind.MCP ? url + ", or command: [program, argument]" : url;
  }

  private static Optional<String> prefix(YamlValue yamlValue) {
    Optional<String> prefix = yamlValue.anyText();
    if (prefix.isPresent() && !PREFIX.matcher(prefix.get()).matches()) {
      yamlValue.mistake("must be at most 64 letters, digits, '.', '_', ':', '/' or '-'");
    }
    return prefix;
  }

  private static ExposeRules expose(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("mode", "tools");
    Exposure mode =
        keys.flatMap(it -> it.get("mode")).flatMap(it -> it.oneOf(MODES)).orElse(Exposure.ALL);
    return new ExposeRules(mode, keys.map(it -> patterns(it, mode)).orElse(List.of()));
  }

  private static List<Glob> patterns(StrictMapping strictMapping, Exposure mode) {
    return switch (mode) {
      case ALLOWLIST, BLOCKLIST ->
          strictMapping
              .require("tools", "tools: a list of patterns")
              .map(SourceReader::globs)
              .orElse(List.of());
      case ALL -> {
        strictMapping
            .get("tools")
            .ifPresent(tools ->
                tools.mistake("has no meaning here: write mode: allowlist or mode: blocklist"));
        yield List.of();
      }
    };
  }

  static List<Glob> globs(YamlValue tools) {
    return tools.items().stream().flatMap(item -> glob(item).stream()).toList();
  }

  static Optional<Glob> glob(YamlValue yamlValue) {
    Optional<String> pattern = yamlValue.text();
    Optional<String> flaw = pattern.flatMap(Glob::flaw);
    flaw.ifPresent(yamlValue::mistake);
    return flaw.isPresent() ? Optional.empty() : pattern.map(Glob::new);
  }

  /** The gateway retries tools only; other methods are retried by their callers. */
  private List<Glob> idempotent(Optional<Kind> kind) {
    if (kind.isPresent() && (kind.get() == Kind.JSONRPC || kind.get() == Kind.A2A)) {
      rejectKeys(kind.get(), List.of("idempotent"));
      return List.of();
    }
    return strictMapping.get("idempotent").map(SourceReader::globs).orElse(List.of());
  }

  private ForeignErrors errors(Kind kind) {
    return strictMapping
        .get("errors")
        .flatMap(it -> it.oneOf(EnumWords.of(ForeignErrors.class)))
        .orElse(
            switch (kind) {
              case MCP, DEMO -> ForeignErrors.PASS;
              case JSONRPC, A2A -> ForeignErrors.WRAP;
            });
  }

  /** A time of this source within the bounds of the limit that it replaces. */
  private OptionalLong millis(String key, Limit limit) {
    return strictMapping
        .get(key)
        .map(it -> it.millis(Duration.ofMillis(limit.lowest()), Duration.ofMillis(limit.highest())))
        .orElse(OptionalLong.empty());
  }
}
