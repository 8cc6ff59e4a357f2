package gatebook.api.operator.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.command.keep.ContentDigests;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.events.bench.SampleCalls;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WhatIfRunTest {
  @TempDir private Path directory;

  @Test
  void cancelledRunHasNoReport() {
    try (Journal journal = Journals.opened(Journals.inSegments(directory))) {
      new SampleCalls().fill(journal, 0, 10);
      WhatIfRun run = run(journal);

      assertThat(run.cancel()).isTrue();
      run.run();

      assertThat(run.status().state()).isEqualTo("cancelled");
      assertThat(run.status().report()).isNull();
      assertThat(run.cancel()).isFalse();
    }
  }

  @Test
  void callsOfAnUnservedDialectAreNotReplayable() {
    try (Journal journal = Journals.opened(Journals.inSegments(directory))) {
      new SampleCalls().fill(journal, 0, 10);
      WhatIfRun run = run(journal);

      run.run();

      WhatIfReport report = Objects.requireNonNull(run.status().report());
      assertThat(report.notReplayable())
          .extracting(WhatIfReport.Reason::reason, WhatIfReport.Reason::count)
          .containsExactly(tuple("dialect-not-served", 10L));
    }
  }

  private static WhatIfRun run(Journal journal) {
    MemoryContentKeys contentKeys = new MemoryContentKeys();
    RedecideContext withoutDialects =
        RedecideContext.of(
            List.of(),
            () -> new RoutingSnapshot(Rules.NONE, Map.of(), new ConfigurationError("none")),
            new ContentDigests(contentKeys, OldKeys.NONE),
            CallRedecision.of(_ -> Scrubber.BUILT_IN),
            _ -> {
              throw new IllegalStateException("nothing is translated");
            });
    return new WhatIfRun(
        journal,
        MemoryContentKeys.vocabulary(),
        withoutDialects,
        (_, _) -> Optional.empty(),
        new WhatIfRequest(Rules.NONE, Optional.empty(), Optional.empty(), Optional.empty()),
        GatewayLimits.DEFAULT,
        "1",
        Clock.systemUTC());
  }
}
