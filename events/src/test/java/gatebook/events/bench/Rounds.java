package gatebook.events.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The samples of subjects that are measured side by side: in each round one after the other, so
 * that all have the same conditions.
 *
 * @param <S> what one measurement of one subject gives
 */
public final class Rounds<S> {
  private final Map<Key, List<S>> samples = new LinkedHashMap<>();
  private final List<Integer> columns;

  private record Key(String subject, int column) {}

  /** Measures a subject once. */
  @FunctionalInterface
  public interface Measurement<T, S> {
    S measure(T subject, int column) throws Exception;
  }

  /**
   * Rounds without samples.
   *
   * @param columns what each subject is measured with in turn, for example numbers of callers
   */
  public Rounds(List<Integer> columns) {
    this.columns = List.copyOf(columns);
  }

  /** Measures all subjects, which have these names. */
  public <T> void run(
      int rounds, List<T> subjects, Function<T, String> name, Measurement<T, S> measurement)
      throws Exception {
    Bench.rounds(
        rounds,
        () -> {
          for (int column : columns) {
            for (T subject : subjects) {
              add(name.apply(subject), column, measurement.measure(subject, column));
            }
          }
        });
  }

  public void add(String subject, int column, S sample) {
    samples.computeIfAbsent(new Key(subject, column), _ -> new ArrayList<>()).add(sample);
  }

  /** The samples of a subject, in the order of the rounds. */
  public List<S> of(String subject, int column) {
    return samples.getOrDefault(new Key(subject, column), List.of());
  }

  public List<S> all() {
    return samples.values().stream().flatMap(List::stream).toList();
  }

  public Spread spread(String subject, int column, ToDoubleFunction<S> figure) {
    return Spread.of(of(subject, column).stream().map(figure::applyAsDouble).toList());
  }

  /** The ratios within each round, because its two measurements were made in the same minute. */
  public Spread ratios(String subject, String other, int column, ToDoubleFunction<S> figure) {
    List<S> ones = of(subject, column);
    List<S> others = of(other, column);
    return Spread.of(
        IntStream.range(0, ones.size())
            .mapToObj(i -> figure.applyAsDouble(ones.get(i)) / figure.applyAsDouble(others.get(i)))
            .toList());
  }

  /** A table with a row for each subject and a cell for each column. */
  public Table table(
      String head, String unit, List<String> subjects, Function<List<S>, String> cell) {
    Table table = new Table(row(head, columns.stream().map(n -> counted(n, unit)).toList()));
    for (String subject : subjects) {
      table.add(row(subject, columns.stream().map(n -> cell.apply(of(subject, n))).toList()));
    }
    return table;
  }

  private static String counted(int number, String unit) {
    return number == 1 ? "1 " + unit : "%,d %ss".formatted(number, unit);
  }

  private static String[] row(String head, List<String> cells) {
    List<String> row = new ArrayList<>(cells);
    row.addFirst(head);
    return row.toArray(String[]::new);
  }
}
