package gatebook.api.flow.schema;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A cache of the schemas that were used last, up to a total size of their texts. */
public final class SchemaCache {

  /** A compiled schema takes about forty times the memory of its text. */
  public static final int CHARS_MAX = 1 << 20;

  private final Map<Key, SchemaReading> readings = new LinkedHashMap<>(16, 0.75f, true);
  private final int charsMax;
  private long chars;

  public SchemaCache(int charsMax) {
    this.charsMax = charsMax;
  }

  private record Key(String json, SchemaDraft draft, SchemaLimits limits) {}

  /** The schema that a text is; it is compiled unless the cache has it. */
  public SchemaReading read(
      String json, SchemaDraft draft, SchemaLimits limits, SchemaSteps steps) {
    Key key = new Key(json, draft, limits);
    return find(key)
        .orElseGet(() -> {
          SchemaReading reading = new SchemaCompiler(limits, steps).read(json, draft);
          if (reading instanceof SchemaReading.Usable) {
            add(key, reading);
          }
          return reading;
        });
  }

  private synchronized Optional<SchemaReading> find(Key key) {
    return Optional.ofNullable(readings.get(key));
  }

  private synchronized void add(Key key, SchemaReading reading) {
    if (readings.put(key, reading) == null) {
      chars += key.json.length();
    }
    var eldest = readings.keySet().iterator();
    while (chars > charsMax && eldest.hasNext()) {
      chars -= eldest.next().json.length();
      eldest.remove();
    }
  }

  public synchronized int size() {
    return readings.size();
  }
}
