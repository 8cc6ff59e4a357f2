package gatebook.api.operator.whatif;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.Gate;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.SignedNote;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SignedReportTest {
  /** The longest of a note that is a checkpoint. */
  private static final int CHECKPOINT_BYTES_MAX = 256 << 10;

  @TempDir private Path directory;

  @Test
  void reportLongerThanACheckpointIsVerified() {
    CheckpointKey key =
        ((LoadedKey.Key<CheckpointKey>)
                CheckpointKey.loadOrCreate(directory.resolve("key"), "gatebook/1"))
            .key();
    WhatIfReport report = report(500, "n".repeat(256));

    byte[] note = SignedNote.sign(SignedReport.text(report), key);

    assertThat(note.length).isGreaterThan(CHECKPOINT_BYTES_MAX);
    assertThat(SignedReport.check(note, List.of(key.verifier())))
        .isEqualTo(new SignedReport.Checked.Valid(report, key.verifier()));
    byte[] changed = new String(note, UTF_8).replaceFirst("nnn", "nno").getBytes(UTF_8);
    assertThat(SignedReport.check(changed, List.of(key.verifier())))
        .isInstanceOf(SignedReport.Checked.Invalid.class);
  }

  private static WhatIfReport report(int groups, String name) {
    return new WhatIfReport(
        WhatIfReport.FORMAT,
        "2026-01-02T03:04:05Z",
        "sha256:1",
        List.of("sha256:2"),
        "1",
        "25",
        "cedar",
        1,
        new WhatIfReport.Range(null, null, "gatebook/1", 1, "", 0, 1, null),
        new WhatIfReport.Calls(groups, groups, groups, null),
        Map.of(),
        List.of(),
        new WhatIfReport.SelfCheck(groups, 0, 0, 0, List.of()),
        IntStream.range(0, groups).mapToObj(_ -> group(name)).toList(),
        null);
  }

  private static WhatIfReport.Group group(String name) {
    return new WhatIfReport.Group(
        "newly-denied",
        "forwarded to " + name,
        "denied by governance: rule",
        Gate.GOVERNANCE,
        name,
        name,
        name,
        -32_014,
        1,
        "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05Z",
        List.of("00000000-0000-0000-0000-000000000000"));
  }
}
