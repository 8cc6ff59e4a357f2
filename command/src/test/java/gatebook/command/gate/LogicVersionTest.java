package gatebook.command.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.CallEvaluation;
import gatebook.command.call.CallVerdict;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Transport;
import gatebook.events.journal.tree.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Decides the same calls under the same rules in every build. When decisions change, the version of
 * the gates' logic has to be raised, since a recorded decision is compared with one of now. The
 * file has a line for each version: {@code -Dtables=write} adds one for a new version, and never
 * changes one.
 */
final class LogicVersionTest {
  private static final String FILE = "gatebook/command/gate/logic-versions.txt";
  private static final int RULES = 300;
  private static final int CALLS_PER_RULES = 20;
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");

  private static final Map<String, String> POLICIES =
      Map.of(
          "small.cedar",
          """
          permit (principal, action, resource) when {
            resource has arguments && resource.arguments has amount && resource.arguments.amount < 100
          };
          forbid (principal, action, resource) when { resource.arguments.amount == 7 };
          """,
          "who.cedar",
          """
          permit (principal in ThoughtGate::Role::"dev", action, resource)
            when { context.time.hour < 13 && context.policy_id == "p1" };
          permit (principal, action, resource) when { principal has team && principal.team == "red" };
          """);

  /** The algorithm of this generator is part of its specification. */
  private final Random random = new Random(1);

  private final CallEvaluation callEvaluation =
      new CallEvaluation(
          new GateChain(() -> 0),
          new InspectorChain(rules -> new Scrubber(rules.redaction(), List.of(), Map.of())));

  @Test
  void changedDecisionsRaiseTheVersion() throws IOException {
    String line = GateChain.LOGIC_VERSION + " " + digest();
    Path file =
        Path.of(System.getProperty("basedir", "."), "src", "test", "resources").resolve(FILE);
    List<String> lines = Files.exists(file) ? Files.readAllLines(file, UTF_8) : List.of();
    if ("write".equals(System.getProperty("tables")) && lines.size() < GateChain.LOGIC_VERSION) {
      Files.createDirectories(file.getParent());
      Files.writeString(
          file, String.join("\n", lines) + (lines.isEmpty() ? "" : "\n") + line + "\n");
      lines = Files.readAllLines(file, UTF_8);
    }

    assertThat(lines)
        .as("raise GateChain.LOGIC_VERSION when decisions change, and never change a line")
        .hasSize(GateChain.LOGIC_VERSION)
        .last()
        .isEqualTo(line);
  }

  private String digest() {
    MessageDigest digest = Sha256.newDigest();
    for (int i = 0; i < RULES; i++) {
      Rules rules = read(rules());
      for (int j = 0; j < CALLS_PER_RULES; j++) {
        digest.update(text(decide(rules)).getBytes(UTF_8));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private CallVerdict decide(Rules rules) {
    Intent.Act act =
        new Intent.Act(
            any("read", "readme", "a_read", "drop", "PAY", "b/x", "r%65ad"),
            any(TargetKind.values()));
    return callEvaluation.evaluate(call(act, rules.hash()), act, rules);
  }

  private ReceiveCall call(Intent.Act act, String rulesHash) {
    return new ReceiveCall(
        new UUID(0, 0),
        "c",
        null,
        new DialectVersion(Dialect.MCP, null),
        Transport.HTTP,
        NOON.plusSeconds(random.nextInt(7_200)),
        "tools/call",
        random.nextInt(5) == 0 ? null : "1",
        new Principal(
            any("ada", "bob"),
            any(List.of(), List.of("dev"), List.of("ops")),
            any(Map.of(), Map.of("team", "red"))),
        act,
        null,
        arguments(),
        null,
        rulesHash,
        null);
  }

  private @Nullable String arguments() {
    return random.nextInt(6) == 0
        ? null
        : any(
            "{}",
            "{\"amount\":7}",
            "{\"amount\":50}",
            "{\"amount\":700}",
            "{\"amount\":\"many\"}",
            "{\"key\":\"ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\"}");
  }

  /** What a verdict is, without what only measures it. */
  private static String text(CallVerdict verdict) {
    String rulings =
        verdict.rulings().stream().map(LogicVersionTest::text).collect(Collectors.joining(" "));
    return switch (verdict) {
      case CallVerdict.Allowed(var source, _) -> "allowed " + source.id() + " " + rulings;
      case CallVerdict.NeedsApproval(var source, var workflow, _) ->
          "asked " + source.id() + " " + workflow.name() + " " + rulings;
      case CallVerdict.Denied(_, var target, var fault, var reason, _) ->
          "denied %s %s %s %s".formatted(target, fault.kind(), reason.word(), rulings);
      case CallVerdict.Withheld(var source, var fault, _) ->
          "withheld " + source.id() + " " + fault.kind() + " " + rulings;
    };
  }

  private static String text(Ruling ruling) {
    return switch (ruling) {
      case Ruling.Visibility(var verdict, var exposure, var pattern, _) ->
          "%s %s %s".formatted(verdict, exposure, pattern);
      case Ruling.Governance(var verdict, var action, var rule, var pattern, _) ->
          "%s %s %s %s".formatted(verdict, action, rule, pattern);
      case Ruling.Policy(var verdict, var policyId, var reasons, var errors, _, _, _) ->
          "%s %s %s %d"
              .formatted(verdict, policyId, reasons.stream().sorted().toList(), errors.size());
      case Ruling.Approval(var verdict, var workflow, _, _, _) -> verdict + " " + workflow;
    };
  }

  private String rules() {
    return """
    schema: 1
    sources:
      - {id: one, kind: mcp, url: 'http://127.0.0.1:1/', prefix: "%s", enabled: %s, expose: %s}
      - {id: two, kind: mcp, url: 'http://127.0.0.1:2/', prefix: a_, expose: %s}
      - {id: three, kind: jsonrpc, url: 'http://127.0.0.1:3/'}
    governance: {defaults: {action: %s}, rules: [%s]}
    approval: {people: {timeout: 1m}}
    cedar: {policies: [%s]}
    inspect: [%s]
    """
        .formatted(
            any("", "", "r"),
            any("true", "true", "false"),
            expose(),
            expose(),
            any("forward", "deny", "policy", "approve"),
            IntStream.range(0, random.nextInt(5))
                .mapToObj(_ -> rule())
                .collect(Collectors.joining(", ")),
            any("small.cedar", "who.cedar", "small.cedar, who.cedar"),
            any("", "secrets"));
  }

  private String rule() {
    return "{match: \"%s\", %s}"
        .formatted(
            any("*", "read", "re*", "[pd]*", "pay", "b/**", "!read"),
            any(
                "action: forward",
                "action: deny",
                "action: approve",
                "action: policy, policy_id: p1, approval: people",
                "action: policy, policy_id: p1, source: [one, three]",
                "action: approve, approval: people, source: two"));
  }

  private String expose() {
    return any(
        "{mode: all}",
        "{mode: allowlist, tools: [\"re*\"]}",
        "{mode: blocklist, tools: [\"re*\", \"PAY\"]}");
  }

  private static Rules read(String text) {
    RulesFile file =
        new RulesFile(
            "rules.yaml",
            name -> new ByteArrayInputStream(POLICIES.getOrDefault(name, text).getBytes(UTF_8)),
            Map.of(),
            InspectorRegistry.NAMES);
    return switch (file.read()) {
      case Reading.Valid valid -> valid.rules();
      case Reading.Broken broken -> throw new AssertionError(broken.mistakes() + "\n" + text);
    };
  }

  @SafeVarargs
  private <T> T any(T... some) {
    return some[random.nextInt(some.length)];
  }
}
