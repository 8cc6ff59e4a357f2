package gatebook.events.bench;

import java.util.List;

/** The spread of several rounds' figures: median, minimum and maximum. */
public record Spread(double median, double min, double max) {
  public static Spread of(List<Double> figures) {
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /** The figures with this many digits after the point. */
  public String text(int digits) {
    String one = "%,." + digits + "f";
    return String.format(one + " (" + one + "-" + one + ")", median, min, max);
  }
}
