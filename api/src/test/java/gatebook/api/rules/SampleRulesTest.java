package gatebook.api.rules;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source.Kind;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.call.Action;
import gatebook.events.call.Exposure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SampleRulesTest {

  private final Rules rules =
      switch (RulesFiles.of(Optional.empty(), Map.of()).read()) {
        case Reading.Valid valid -> valid.rules();
        case Reading.Broken broken -> throw new AssertionError(broken.mistakes().toString());
      };

  @Test
  void theSampleHidesOneToolOfTheDemoSource() {
    assertThat(rules.sources())
        .singleElement()
        .satisfies(source -> {
          assertThat(source.kind()).isEqualTo(Kind.DEMO);
          assertThat(source.expose())
              .isEqualTo(
                  new ExposeRules(
                      Exposure.ALLOWLIST,
                      Stream.of("echo", "time", "delete_all", "transfer", "deploy")
                          .map(Glob::new)
                          .toList()));
        });
  }

  @Test
  void theSampleHasARuleForEveryGate() {
    assertThat(rules.governance())
        .isEqualTo(
            new Governance(
                Action.DENY,
                List.of(
                    rule(1, "echo", Action.FORWARD, null, null, false),
                    rule(2, "time", Action.FORWARD, null, null, false),
                    rule(3, "delete_*", Action.DENY, null, null, true),
                    rule(4, "transfer", Action.POLICY, "small-transfers", "operator", false),
                    rule(5, "deploy", Action.APPROVE, null, "operator", false))));
    assertThat(rules.workflows())
        .isEqualTo(
            Map.of(
                "operator",
                new ApprovalWorkflow(
                    "operator", "operator", 600_000, 600_000, OnTimeout.DENY, List.of())));
  }

  @Test
  void theSampleAsAFileHasNoWarnings(@TempDir Path directory) throws IOException {
    for (String name : List.of("sample-rules.yaml", "sample.cedar")) {
      try (InputStream sample = RulesFiles.sample().folder().open(name)) {
        Files.copy(sample, directory.resolve(name));
      }
    }
    Path file = directory.resolve("sample-rules.yaml");

    assertThat(RulesCheck.of(RulesFiles.at(file, Map.of())))
        .isEqualTo(new RulesCheck(file.toString(), List.of(), List.of()));
    assertThat(RulesCheck.of(RulesFiles.sample()).warnings()).isEmpty();
  }

  private static Rule rule(
      int place,
      String match,
      Action action,
      @Nullable String policyId,
      @Nullable String workflow,
      boolean isPublic) {
    return new Rule(place, new Glob(match), action, Set.of(), policyId, workflow, isPublic);
  }
}
