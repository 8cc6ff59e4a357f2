package gatebook.api.gateway.quota;

import java.time.LocalDate;
import java.util.Map;

/** Reads how many calls the journal has that daily budgets counted. */
@FunctionalInterface
public interface RecordedCounts {

  /** The calls of a day and of later days, by quota and principal; may block. */
  Map<LocalDate, Map<QuotaKey, Long>> since(LocalDate day);
}
