package gatebook.events.journal.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;

/**
 * A process that measures one subject: told what to do line by line on stdin, answering on stdout
 * with nothing but samples.
 *
 * <p>It runs on the class path of Axon 4 as well, so it names nothing of the journal or of Axon.
 */
public final class Child {
  private Child() {}

  /** Makes the subject once standard output is out of reach of whatever likes to print there. */
  public interface Maker {
    Subject make() throws Exception;
  }

  /** Measures until stdin ends. */
  public static void serve(Maker maker) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    try (Subject subject = maker.make();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        answers.println(measured(subject, order.split(" ", -1)).line());
        answers.flush();
      }
    }
  }

  private static Sample measured(Subject subject, String[] order) throws Exception {
    long millis = Long.parseLong(order[2]);
    Duration cpuBefore = cpu();
    Sample sample =
        subject.measure(Integer.parseInt(order[0]), Double.parseDouble(order[1]), millis);
    double cpuMicros = cpu().minus(cpuBefore).toNanos() / 1e3;
    return sample.withCpuMicros(cpuMicros / (sample.perSecond() * millis / 1e3));
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
