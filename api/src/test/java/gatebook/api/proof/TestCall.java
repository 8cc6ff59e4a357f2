package gatebook.api.proof;

import java.util.random.RandomGenerator;

/**
 * A call made by a test.
 *
 * @param marker its correlation id and one of its arguments, which identifies the call everywhere
 */
record TestCall(String marker, Kind kind) {

  /** What the rules of the test do with the call. */
  enum Kind {
    HIDDEN("secret_plans", 4),
    DENIED("delete_record", 24),
    NOT_PERMITTED("pay", 8),
    PERMITTED("pay", 8),
    READ("read_record", 28),
    NOTIFICATION("read_record", 8),
    /** The source answers with an error of its own. */
    FAILING("fail", 8),
    /** The source delays its answer. */
    SLOW("slow", 8),
    HELD("deploy", 4);

    private static final int WEIGHTS = 100;

    private final String tool;
    private final int weight;

    Kind(String tool, int weight) {
      this.tool = tool;
      this.weight = weight;
    }

    static Kind any(RandomGenerator random) {
      int rest = random.nextInt(WEIGHTS);
      for (Kind kind : values()) {
        rest -= kind.weight;
        if (rest < 0) {
          return kind;
        }
      }
      throw new IllegalStateException("the weights are fewer than " + WEIGHTS);
    }
  }

  /** An id whose number no parser may round. */
  String id() {
    return "9007199254740993" + (marker.hashCode() & 0xff);
  }

  String body() {
    String id = kind == Kind.NOTIFICATION ? "" : "\"id\":%s,".formatted(id());
    int amount = kind == Kind.NOT_PERMITTED ? 5_000 : 5;
    return """
    {"jsonrpc":"2.0",%s"method":"tools/call","params":\
    {"name":"%s","arguments":{"marker":"%s","amount":%d}}}\
    """
        .formatted(id, kind.tool, marker, amount);
  }
}
