package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.bench.Table;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The processor times of a process by the names of its threads, without their numbers, as Linux
 * counts them.
 */
public record ThreadTimes(List<ThreadTime> threads, double total) {
  private static final double TICKS_PER_SECOND = 100;

  private static final int SHOWN = 12;

  /** The fields of a line after the name; the times are the twelfth and thirteenth. */
  private static final int USER = 11;

  /** The seconds of a thread that still runs. */
  public record ThreadTime(String number, String name, double seconds) {}

  public static ThreadTimes of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    List<ThreadTime> threads = new ArrayList<>();
    try (DirectoryStream<Path> running = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path thread : running) {
        read(thread).ifPresent(threads::add);
      }
    }
    return new ThreadTimes(threads, read(process).orElseThrow().seconds());
  }

  /** The time of a thread, or of a process with those of its threads that have ended. */
  private static Optional<ThreadTime> read(Path directory) throws IOException {
    String line;
    try {
      line = Files.readString(directory.resolve("stat"), UTF_8);
    } catch (NoSuchFileException _) {
      return Optional.empty(); // the thread has ended
    }
    String name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    double ticks = Double.parseDouble(fields[USER]) + Double.parseDouble(fields[USER + 1]);
    return Optional.of(
        new ThreadTime(
            String.valueOf(directory.getFileName()),
            name.replaceAll("[-# ]*\\d+$", ""),
            ticks / TICKS_PER_SECOND));
  }

  public ThreadTimes since(ThreadTimes before) {
    Map<String, Double> earlier =
        before.threads.stream().collect(Collectors.toMap(ThreadTime::number, ThreadTime::seconds));
    List<ThreadTime> differences =
        threads.stream()
            .map(thread ->
                new ThreadTime(
                    thread.number(),
                    thread.name(),
                    thread.seconds() - earlier.getOrDefault(thread.number(), 0.0)))
            .toList();
    return new ThreadTimes(differences, total - before.total);
  }

  /** The seconds by name. What no thread has that still runs is of those that have ended. */
  private Map<String, Double> seconds() {
    Map<String, Double> seconds =
        threads.stream()
            .collect(
                Collectors.groupingBy(
                    ThreadTime::name, Collectors.summingDouble(ThreadTime::seconds)));
    double running = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    seconds.put("threads that ended", total - running);
    return seconds;
  }

  /** The processor time of a call, of the busiest threads. */
  public Table perCall(long answers) {
    Table table = new Table("threads", "us a call", "share");
    for (Map.Entry<String, Double> busy : busiest()) {
      table.add(
          busy.getKey(),
          "%.1f".formatted(busy.getValue() * 1e6 / answers),
          "%.0f %%".formatted(100 * busy.getValue() / total));
    }
    return table;
  }

  private List<Map.Entry<String, Double>> busiest() {
    return seconds().entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .limit(SHOWN)
        .toList();
  }
}
