package gatebook.api.flow.task;

import gatebook.api.flow.schema.CompiledSchema;
import gatebook.api.flow.schema.SchemaCache;
import gatebook.api.flow.schema.SchemaDraft;
import gatebook.api.flow.schema.SchemaLimits;
import gatebook.api.flow.schema.SchemaReading;
import gatebook.api.flow.schema.SchemaSteps;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The JSON Schemas of tasks and their tools. They are read and used on threads of their own, so
 * that nothing else waits for large ones.
 */
public final class TaskSchemas {
  private static final long IDLE_SECONDS = 30;

  private final Supplier<GatewayLimits> limits;
  private final SchemaCache cache = new SchemaCache(SchemaCache.CHARS_MAX);
  private final Executor threads = threads();

  /**
   * @param limits those in force
   */
  public TaskSchemas(Supplier<GatewayLimits> limits) {
    this.limits = limits;
  }

  private static Executor threads() {
    int most = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("schemas-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Does something that may use schemas on their threads. */
  public <T> CompletableFuture<T> run(Supplier<T> use) {
    return CompletableFuture.supplyAsync(use, threads);
  }

  /** Checks for one request, or for one task that runs; all of them share their steps. */
  public Checks checks() {
    SchemaLimits inForce = SchemaLimits.of(limits.get());
    return new Checks(inForce, new SchemaSteps(inForce.stepsMax()));
  }

  /** Checks of schemas and inputs. */
  public final class Checks {
    private final SchemaLimits schemaLimits;
    private final SchemaSteps steps;

    private Checks(SchemaLimits schemaLimits, SchemaSteps steps) {
      this.schemaLimits = schemaLimits;
      this.steps = steps;
    }

    SchemaReading read(String json, SchemaDraft draft) {
      return cache.read(json, draft, schemaLimits, steps);
    }

    /** What is wrong with inputs; their values are not part of it. */
    List<Problem> check(CompiledSchema schema, String inputs) {
      return schema.check(inputs, steps);
    }

    /**
     * What is wrong with a task's schema, or with its inputs. These are not complete yet when the
     * schema wants the results of other tasks, too.
     */
    public List<Problem> ofTask(String schema, String inputs, boolean dependsOnOthers) {
      return switch (read(schema, SchemaDraft.DRAFT_7)) {
        case SchemaReading.Unusable(var reasons) -> reasons.stream().map(Checks::ofSchema).toList();
        case SchemaReading.Usable(var usable) ->
            dependsOnOthers && usable.knowsObject(TaskInputs.DEPENDENCIES)
                ? List.of()
                : check(usable, inputs);
      };
    }

    static Problem ofSchema(String reason) {
      return new Problem("schemas.input_schema", reason, null, null, List.of());
    }
  }
}
