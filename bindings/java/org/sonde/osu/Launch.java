// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.io.PrintStream;
import org.sonde.Sonde;

/** The way from a command line to a program: options, the binding, start and end of MPI, refusals in a line of rank 0. */
final class Launch {
    private static final String VERSION_OF_OMB = "6.0"; // that its Java programs print

    private Launch() {}

    /** Runs a program, and ends the JVM. */
    static void start(Benchmark benchmark, String[] arguments) {
        int status = 1;
        try {
            status = start(benchmark, arguments, System.out, System.err);
        } catch (UnsatisfiedLinkError e) { // before MPI runs: a library of Sonde is not found
            if (isFirst()) System.err.println(e.getMessage());
        } catch (Throwable e) { // of one rank: the others would wait for it
            e.printStackTrace();
            if (Sonde.isRunning()) NativeBinding.abort();
        }
        System.out.flush();
        System.exit(status);
    }

    /** Whether this process is rank 0, by its launcher; true without one. */
    private static boolean isFirst() {
        for (String name : new String[] {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
            if (System.getenv(name) != null) return System.getenv(name).equals("0");
        return true;
    }

    private static int start(Benchmark benchmark, String[] arguments, PrintStream out, PrintStream err) throws Exception {
        Refusal early = null;
        Options options = null;
        Binding binding = new NativeBinding();
        try {
            options = Options.parse(benchmark, arguments);
            binding = binding(options.api);
            binding.initialize(arguments);
        } catch (Refusal e) {
            early = e;
        } catch (LinkageError e) {
            early = unusable(e);
        }
        if (!Sonde.isRunning()) Sonde.initialize();
        int status = run(options, binding, early, arguments, out, err);
        if (early == null) binding.finalizeMpi();
        else Sonde.finalizeMpi();
        return status;
    }

    /** The binding of this word; without one, Open MPI's where it is on the class path. */
    private static Binding binding(String word) {
        boolean isFound = Launch.class.getClassLoader().getResource("mpi/MPI.class") != null;
        if (word == null ? !isFound : word.equals(NativeBinding.WORD)) return new NativeBinding();
        String library = library();
        if (!library.startsWith("Open MPI"))
            throw new Refusal("Sonde has been built for another MPI library than Open MPI's binding: " + library
                    + "; accepted: --api native");
        return new OpenMpiBinding();
    }

    /** Of a jar that is missing, or lacks what is called, or its native library. */
    static Refusal unusable(LinkageError e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String what = cause.getClass().getSimpleName() + ": " + String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new Refusal("Cannot use Open MPI's binding (" + what + "); accepted: the mpi.jar and libmpi_java of Open MPI, "
                + "or --api native", e);
    }

    /** Runs a program while MPI runs, and returns the exit status. Collective. */
    static int run(Options options, Binding binding, Refusal early, String[] arguments, PrintStream out, PrintStream err)
            throws Exception {
        try {
            Ranks.together(() -> {
                if (early != null) throw early;
            });
            Ranks.requireEqual("The ranks have different arguments; accepted: the same on all ranks", arguments);
            Ranks.requireEqual("The ranks have different bindings of MPI; accepted: the same class path on all ranks",
                    binding.word());
            run(options, binding, out);
            return 0;
        } catch (Refusal e) {
            if (NativeBinding.rank() == 0) err.println(e.getMessage());
            return 1;
        }
    }

    private static void run(Options options, Binding binding, PrintStream out) throws Exception {
        boolean isRoot = NativeBinding.rank() == 0;
        if (options.isVersion) {
            if (isRoot) printVersion(options, binding, out);
        } else if (options.isHelp) {
            if (isRoot) printTitle(options, out);
            if (isRoot) out.print(options.help());
        } else if (options.benchmark.kind == Benchmark.Kind.STARTUP) {
            out.println("Hi from <" + NativeBinding.rank() + ">");
        } else {
            try (Program program = new Program(options, binding, out)) {
                program.validate();
                program.measure();
            }
        }
    }

    private static void printTitle(Options options, PrintStream out) {
        if (options.benchmark.kind == Benchmark.Kind.STARTUP) return;
        out.println("# OSU " + options.benchmark.title + " Test");
        out.println(new Columns(options.benchmark, options.window, false).header());
    }

    private static void printVersion(Options options, Binding binding, PrintStream out) {
        printTitle(options, out);
        out.println("# # OSU " + options.benchmark.title + " Test " + VERSION_OF_OMB);
        out.println("# Sonde " + Sonde.version() + ", binding of MPI: " + description(binding));
    }

    /** The binding in use, and the MPI library below it. */
    static String description(Binding binding) {
        return binding.title() + " (" + binding.word() + "), " + library();
    }

    private static String library() {
        String line = NativeBinding.library().lines().findFirst().orElse("");
        return line.split(",")[0].replace("Version:", "").replaceAll("\\s+", " ").strip();
    }
}
