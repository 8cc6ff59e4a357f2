package gatebook.api.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.bench.Table;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The processor times of a process by the names of its threads, without their numbers, as Linux
 * counts them.
 */
record ThreadTimes(Map<String, Double> seconds) {
  private static final double TICKS_PER_SECOND = 100;

  private static final int SHOWN = 12;

  /** The fields of a thread's line after its name; its times are the twelfth and thirteenth. */
  private static final int USER = 11;

  static ThreadTimes of(long pid) throws IOException {
    Map<String, Double> seconds = new HashMap<>();
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : threads) {
        add(thread.resolve("stat"), seconds);
      }
    }
    return new ThreadTimes(seconds);
  }

  private static void add(Path stat, Map<String, Double> seconds) throws IOException {
    String line;
    try {
      line = Files.readString(stat, UTF_8);
    } catch (NoSuchFileException _) {
      return; // the thread has ended
    }
    String name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    double ticks = Double.parseDouble(fields[USER]) + Double.parseDouble(fields[USER + 1]);
    seconds.merge(name.replaceAll("[-# ]*\\d+$", ""), ticks / TICKS_PER_SECOND, Double::sum);
  }

  ThreadTimes since(ThreadTimes before) {
    Map<String, Double> difference = new HashMap<>();
    seconds.forEach(
        (name, now) -> difference.put(name, now - before.seconds.getOrDefault(name, 0.0)));
    return new ThreadTimes(difference);
  }

  double total() {
    return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** The processor time of a call, of the busiest threads. */
  Table perCall(long answers) {
    Table table = new Table("threads", "us a call", "share");
    for (Map.Entry<String, Double> busy : busiest()) {
      table.add(
          busy.getKey(),
          "%.1f".formatted(busy.getValue() * 1e6 / answers),
          "%.0f %%".formatted(100 * busy.getValue() / total()));
    }
    return table;
  }

  private List<Map.Entry<String, Double>> busiest() {
    return seconds.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .limit(SHOWN)
        .toList();
  }
}
