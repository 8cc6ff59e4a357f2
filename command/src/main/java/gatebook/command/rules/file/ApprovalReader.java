package gatebook.command.rules.file;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.events.ApprovalRequested.OnTimeout;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads the section {@code approval}: the workflows by name. */
final class ApprovalReader {

  static final Duration TIMEOUT_LEAST = Duration.ofSeconds(5);
  static final Duration TIMEOUT_MOST = Duration.ofDays(7);
  private static final long TIMEOUT_MILLIS = 600_000;
  private static final long BLOCKING_MILLIS = 300_000;

  private static final Pattern PATH = Pattern.compile("[^.\\s]+(?:\\.[^.\\s]+)*");

  private ApprovalReader() {}

  static Map<String, ApprovalWorkflow> read(YamlValue yamlValue) {
    Map<String, ApprovalWorkflow> workflows = new LinkedHashMap<>();
    yamlValue
        .entries()
        .forEach((name, workflow) -> {
          if (name.length() > YamlValue.NAME_LENGTH_MAX) {
            workflow.mistake(
                "is too long a name: write at most %d characters"
                    .formatted(YamlValue.NAME_LENGTH_MAX));
          }
          workflows.put(name, workflow(name, workflow));
        });
    return workflows;
  }

  private static ApprovalWorkflow workflow(String name, YamlValue yamlValue) {
    Optional<StrictMapping> keys =
        yamlValue.keys("destination", "timeout", "on_timeout", "blocking_timeout", "redact_fields");
    keys.flatMap(it -> it.get("destination")).ifPresent(ApprovalReader::destination);
    OptionalLong timeout = millis(keys, "timeout");
    return new ApprovalWorkflow(
        name,
        "operator",
        timeout.orElse(TIMEOUT_MILLIS),
        millis(keys, "blocking_timeout").orElse(timeout.orElse(BLOCKING_MILLIS)),
        keys.flatMap(it -> it.get("on_timeout"))
            .flatMap(it -> it.oneOf(EnumWords.of(OnTimeout.class)))
            .orElse(OnTimeout.DENY),
        keys.flatMap(it -> it.get("redact_fields")).map(ApprovalReader::paths).orElse(List.of()));
  }

  private static OptionalLong millis(Optional<StrictMapping> keys, String key) {
    return keys.flatMap(it -> it.get(key))
        .map(it -> it.millis(TIMEOUT_LEAST, TIMEOUT_MOST))
        .orElse(OptionalLong.empty());
  }

  /** Checks the destination. Operators decide in every case until others are supported. */
  private static void destination(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("type", "channel", "token_env", "mention");
    Optional<YamlValue> type = keys.flatMap(it -> it.require("type", "type: operator"));
    Map<String, Boolean> slack = new LinkedHashMap<>();
    slack.put("operator", false);
    slack.put("slack", true);
    Optional<Boolean> isSlack = type.flatMap(it -> it.oneOf(slack));
    keys.ifPresent(it -> isSlack.ifPresent(is -> channel(it, is)));
    isSlack
        .filter(is -> is)
        .ifPresent(_ ->
            type.orElseThrow()
                .warning("slack is not supported yet: operators decide, with approvals.*"));
  }

  private static void channel(StrictMapping strictMapping, boolean isSlack) {
    if (isSlack) {
      strictMapping.require("channel", "channel: \"#approvals\"").ifPresent(YamlValue::text);
      strictMapping.get("token_env").ifPresent(YamlValue::text);
      strictMapping.get("mention").ifPresent(YamlValue::texts);
      return;
    }
    for (String useless : List.of("channel", "token_env", "mention")) {
      strictMapping
          .get(useless)
          .ifPresent(it -> it.mistake("has no meaning for type: operator: leave it out"));
    }
  }

  private static List<String> paths(YamlValue yamlValue) {
    for (YamlValue item : yamlValue.items()) {
      item.text()
          .filter(path -> !PATH.matcher(path).matches())
          .ifPresent(_ -> item.mistake("must be names with dots between them, as in card.number"));
    }
    return yamlValue.texts();
  }
}
