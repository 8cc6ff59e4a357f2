package gatebook.api.node;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.LocalDate;
import java.time.ZoneOffset;

/** A test of one day in UTC, by the clock of the machine: it says nothing when midnight came. */
public final class SameDay {
  private SameDay() {}

  /** A part of a test. */
  @FunctionalInterface
  public interface Part {
    void run() throws Exception;
  }

  public static void run(Part part) throws Exception {
    LocalDate day = LocalDate.now(ZoneOffset.UTC);
    try {
      part.run();
    } catch (AssertionError e) {
      assumeTrue(day.equals(LocalDate.now(ZoneOffset.UTC)), "midnight came during the test");
      throw e;
    }
  }
}
