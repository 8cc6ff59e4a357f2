package gatebook.command.gateway;

import gatebook.command.call.Decision;
import gatebook.events.JournalOutage;
import java.time.Instant;
import java.util.List;

/**
 * Reports an outage of the journal, once it can be written again: how long it lasted and how many
 * calls it affected.
 */
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
