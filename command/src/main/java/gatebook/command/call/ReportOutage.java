package gatebook.command.call;

import gatebook.events.JournalOutage;
import java.time.Instant;
import java.util.List;

/** The journal can be written again: record for how long, and for whom, it could not. */
public record ReportOutage(
    Instant from, Instant to, String cause, long refused, long outcomesNotRecorded) {

  public static Decision<Boolean> decide(ReportOutage report) {
    return new Decision<>(
        List.of(
            new JournalOutage(
                report.from, report.to, report.cause, report.refused, report.outcomesNotRecorded)),
        true);
  }
}
