// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.sonde.Sonde;

/**
 * The programs of org.sonde.osu in one JVM a rank: OsuChecks BINDING FOLDER. Their text, contents, options and refusals. All
 * ranks run all checks in the same order, because each run of a program is collective. OsuChecks BINDING FOLDER ITERATIONS
 * only runs each of them.
 */
final class OsuChecks {
    private static final String[] FEW = {"-m", "8:16", "-i", "3", "-x", "1"};

    private static int failures;
    private static int rank;
    private static int ranks;
    private static Binding binding;

    private OsuChecks() {}

    /** A run of a program on this rank. */
    private record Answer(int status, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    private static void check(boolean holds, Object found) {
        if (holds) return;
        ++failures;
        StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst()).ifPresent(f -> System.err.println(
                "OsuChecks.java:" + f.getLineNumber() + ": rank " + rank + ": does not hold: " + found));
    }

    private static Answer run(Binding with, Benchmark benchmark, String... arguments) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Refusal early = null;
        Options options = null;
        try {
            options = Options.parse(benchmark, arguments);
        } catch (Refusal e) {
            early = e;
        }
        int status = Launch.run(options, with, early, arguments, new PrintStream(out, true), new PrintStream(err, true));
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static Answer run(Benchmark benchmark, String... arguments) throws Exception {
        return run(binding, benchmark, arguments);
    }

    private static String[] with(String[] some, String... more) {
        String[] all = Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        return all;
    }

    private static List<Benchmark> measuring() {
        return Arrays.stream(Benchmark.values()).filter(b -> b.kind != Benchmark.Kind.STARTUP)
                .filter(b -> b.isOfTwo() ? ranks == 2 : ranks >= 2).toList();
    }

    /** The words of -a that a program takes. */
    private static List<String> memories(Benchmark b) {
        boolean takesArrays = !b.isForOpenMpi() && (!b.isWindow() || binding.startsArrays());
        return takesArrays ? List.of("buffer", "arrays") : List.of("buffer");
    }

    /** OMB's text of a program, with figures masked. */
    private static String textOfOmb(Benchmark b) {
        StringBuilder text = new StringBuilder();
        boolean isFirst = rank == 0;
        if (b == Benchmark.ALLREDUCE) text.append(rank + " started on <" + NativeBinding.processor() + ">\n");
        if (isFirst) text.append(headOfOmb(b));
        if (b == Benchmark.LATENCY) text.append("Proc <" + rank + "> on <" + NativeBinding.processor() + ">\n");
        if (isFirst && b == Benchmark.BARRIER) text.append("  #\t\t\t\t#\t\t\t\t#\n");
        for (int size = 8; isFirst && b != Benchmark.BARRIER && size <= 16; size *= 2)
            text.append(size + (b.isOfTwo() ? "\t\t\t#\t\t\t#\n" : "\t\t#\t\t\t#\t\t\t#\n"));
        return text.toString();
    }

    private static String headOfOmb(Benchmark b) {
        String titles = switch (b) {
            case LATENCY -> "# OSU Latency Test\n# Size [B]\t\tLatency [us]\tBandwidth [Gb/s]\n";
            case BANDWIDTH -> "# OSU Bandwidth Test\n";
            case BANDWIDTH_OMPI -> "# OSU Open MPI Bandwidth Test\n";
            case BIBANDWIDTH -> "# OSU Open MPI Bi-Bandwidth Test\n";
            case BIBANDWIDTH_OMPI -> "# OSU Bi-Bandwidth Test\n";
            case BARRIER -> "# OSU Barrier Test\n# Avg. Latency [us]\t\tMin. Latency [us]\t\tMax. Latency [us]\n";
            case ALLREDUCE -> "# OSU Allreduce Test\n";
            case REDUCE_SCATTER -> "# OSU ReduceScatter Test\n";
            default -> "# OSU " + b.program.substring(3) + " Test\n";
        };
        if (b.isWindow()) return titles + "# Size [B]\t\tBandwidth [MB/s]\tBandwidth [Gb/s]\n";
        boolean isShort = titles.indexOf('\n') == titles.length() - 1;
        return isShort ? titles + "# Size\t\tLat Avg[us]\t\tLat Min[us]\t\tLat Max[us]\n" : titles;
    }

    private static String masked(String text) {
        return text.replaceAll("\\d+\\.\\d\\d", "#");
    }

    private static void checkText() throws Exception {
        for (Benchmark b : measuring())
            for (String memory : memories(b)) {
                Answer answer = run(b, with(FEW, "-a", memory, "-c"));
                check(answer.status == 0 && masked(answer.out).equals(textOfOmb(b)), b + " " + memory + ": " + answer);
            }
        for (Benchmark b : List.of(Benchmark.HELLO_WORLD, Benchmark.HELLO_WORLD_OMPI))
            check(run(b).equals(new Answer(0, "Hi from <" + rank + ">\n", "")), run(b));
        String version = run(Benchmark.BCAST, "-v").out;
        String expected = headOfOmb(Benchmark.BCAST) + "# # OSU Bcast Test 6.0\n# Sonde " + Sonde.version() + ", binding of MPI: ";
        check(rank == 0 ? version.startsWith(expected + binding.title()) : version.isEmpty(), version);
        String help = run(Benchmark.BANDWIDTH, "--help").out;
        check(rank == 0 ? help.startsWith(headOfOmb(Benchmark.BANDWIDTH)) && help.contains("-W, --window-size N") && help.contains("--report FORM=FILE") : help.isEmpty(), help);
        Answer noted = run(Benchmark.BCAST, with(FEW, "-u", "5", "-M", "7", "-b", "single", "-W", "3"));
        String notes = "-u option is not supported\n-M option is not supported\n-b option is not supported\n-W is not needed for this test\n";
        check(noted.status == 0 && masked(noted.out).equals(rank == 0 ? notes + textOfOmb(Benchmark.BCAST) : ""), noted);
    }

    private static void checkStatistics() throws Exception {
        for (Benchmark b : measuring()) {
            Answer answer = run(b, with(FEW, "--honest"));
            if (rank != 0) continue;
            List<String> lines = answer.out.lines().filter(line -> !line.contains(" on <")).toList();
            check(lines.get(1).startsWith("# Binding: " + binding.title() + " (" + binding.word() + "), "), lines.get(1));
            String unit = b.isWindow() ? "(MB/s)" : "(us)";
            String titles = "";
            for (String title : List.of("Median", "95% Low", "95% High", "P99", "Slowest", "t_max", "Max")) titles += Text.right(title + unit, 18);
            check(lines.get(2).endsWith(titles + "     Samples   Batch     Ended by                         Flags"), lines.get(2));
            String row = lines.get(lines.size() - 1);
            check(row.matches("(\\s*[\\d.]+){3,4}( +\\d+\\.\\d\\d| +-){7} +3       1      samples +[-a-z_, ]+"), row);
            check(row.length() - row.indexOf('.') > 150, row);
        }
    }

    private static double value(Benchmark b, int bytes, double seconds) {
        return new Columns(b, 64, false).value(bytes, seconds);
    }

    private static void checkFigures() throws Exception {
        check(value(Benchmark.LATENCY, 8, 3e-6) == 1.5 && value(Benchmark.BCAST, 8, 3e-6) == 3, "of times");
        check(Math.round(value(Benchmark.BANDWIDTH, 1000, 64e-6)) == 1000, "of one way");
        check(Math.round(value(Benchmark.BIBANDWIDTH_OMPI, 1000, 64e-6)) == 2000, "of both ways");
        for (Benchmark b : ranks == 2 ? List.of(Benchmark.LATENCY, Benchmark.BANDWIDTH, Benchmark.BIBANDWIDTH, Benchmark.REDUCE) : List.of(Benchmark.REDUCE)) {
            Answer answer = run(b, "-m", "1024:1024", "-i", "60", "-x", "1", "--honest");
            if (rank != 0) continue;
            String[] words = answer.lines().get(answer.lines().size() - 1).strip().split("\\s+");
            double[] found = Arrays.stream(Arrays.copyOf(words, words.length - 4)).mapToDouble(OsuChecks::number).toArray();
            int median = b.isOfTwo() ? 3 : 4;
            check(words[0].equals("1024") && found[median + 1] <= found[median], answer);
            check(found[median + 2] == 0 || found[median] <= found[median + 2], answer);
            if (b == Benchmark.LATENCY) check(Math.abs(found[2] * found[1] * 1000 / 8192 - 1) < 0.3, answer);
            if (b.isWindow()) check(Math.abs(found[2] - found[1] * 8 / 1000) < 0.006, answer);
            if (b == Benchmark.REDUCE) check(found[2] <= found[1] && found[1] <= found[3], answer);
        }
    }

    /** 0 for a figure that there are too few samples for, and for a word. */
    private static double number(String word) {
        return word.matches("[\\d.]+") ? Double.parseDouble(word) : 0;
    }

    private static void checkContents() throws Exception {
        for (Benchmark b : measuring()) {
            if (b == Benchmark.BARRIER) continue;
            int wrong = b.collective != null && b.collective.isToRoot() ? 0 : 1;
            String[] arguments = {"-m", "16:32", "-i", "2", "-x", "0", "-W", "3", "-c"};
            Answer answer = run(new FaultyBinding(binding, wrong), b, arguments);
            String line = "Wrong contents: rank " + wrong + " received other bytes than were sent, in a message of 16 bytes\n";
            check(answer.equals(new Answer(1, "", rank == 0 ? line : "")), b + ": " + answer);
            Answer unchecked = run(new FaultyBinding(binding, wrong), b, Arrays.copyOf(arguments, arguments.length - 1));
            check(unchecked.status == 0, b + ": " + unchecked);
            for (String memory : memories(b)) {
                answer = run(b, "-m", "5000:5000", "-i", "2", "-x", "0", "-W", "3", "-c", "-a", memory);
                check(answer.status == 0, b + " " + memory + ": " + answer);
            }
        }
    }

    private static void checkExpected() {
        MessageBuffer[] one = {MessageBuffer.allocate(64, true, false)};
        for (Benchmark b : measuring()) {
            Case on = new Case(1, 4, 16, one, one);
            byte[] expected = Contents.arrival(b, on);
            for (byte value : expected) check(b.isSum() || value != Contents.NEVER_SENT, b);
        }
        check(Arrays.equals(new Case(0, 3, 16, one, one).parts(), new int[] {2, 1, 1}), "parts");
        check(Contents.arrival(Benchmark.REDUCE_SCATTER, new Case(1, 3, 16, one, one)).length == 4, "length of a part");
    }

    private static String rowOf(String... arguments) throws Exception {
        Answer answer = run(Benchmark.BCAST, with(new String[] {"-m", "1", "--honest"}, arguments));
        check(answer.status == 0 && answer.err.isEmpty(), answer);
        if (rank != 0) return "";
        String row = answer.lines().get(answer.lines().size() - 1).replaceAll("\\s+", " ");
        return row.replaceFirst(".* (\\d+ \\d+ [a-z_]+) (-|[a-z_]+(, [a-z_]+)*)", "$1"); // any number of flags
    }

    private static void checkEnds() throws Exception {
        boolean isRoot = rank == 0;
        for (String row : List.of("1000 100 10", "1005 1005 1", "990 990 1")) {
            String[] words = row.split(" ");
            String found = rowOf("-i", words[0], "-x", "0");
            check(!isRoot || found.equals(words[1] + " " + words[2] + " samples"), found);
        }
        String found = rowOf("--budget", "0.001", "-x", "1");
        check(!isRoot || found.matches("\\d+ 1 time_budget"), found);
        found = rowOf("--until", "50%", "--budget", "30");
        check(!isRoot || found.matches("\\d+ \\d+ (precision|unreachable)"), found);
        found = rowOf("--until", "0.001", "-i", "7", "-x", "0");
        check(!isRoot || found.matches("7 \\d+ samples"), found);
    }

    private static void checkReports(Path folder) throws Exception {
        List<String> files = List.of("jsonl", "csv", "html", "txt");
        List<String> forms = List.of("json", "csv", "html", "table");
        String[] arguments = FEW;
        for (int i = 0; i != files.size(); ++i)
            arguments = with(arguments, "--report", forms.get(i) + "=" + folder + "/osu_" + ranks + "." + files.get(i));
        Answer answer = run(Benchmark.REDUCE, arguments);
        check(answer.status == 0 && answer.err.isEmpty(), answer);
        for (String file : files)
            if (rank == 0) check(Files.readString(folder.resolve("osu_" + ranks + "." + file)).contains("OSUReduce"), file);
        if (rank == 0) {
            List<String> records = Files.readAllLines(folder.resolve("osu_" + ranks + ".jsonl")).stream().filter(line -> line.contains("OSUReduce")).toList();
            String last = records.get(records.size() - 1).replace(" ", "");
            check(records.size() >= 2 && last.contains("\"bytes\":16") && last.contains("\"memory\":\"buffer\"")
                    && last.contains("\"binding\":\"" + binding.word() + "\""), last);
        }
        refuses("Cannot report \\[--report\\]: .*/nowhere/rows.csv.*", Benchmark.BARRIER, "--report", "csv=/nowhere/rows.csv");
        Path full = folder.resolve("full_" + ranks + ".csv");
        if (rank == 0) Files.deleteIfExists(full);
        if (rank == 0) Files.createSymbolicLink(full, Path.of("/dev/full"));
        NativeBinding.least(0); // the link is there
        answer = run(Benchmark.BCAST, with(FEW, "--report", "csv=" + full));
        check(answer.status == 1 && answer.err.matches(rank == 0 ? "Cannot report \\[--report\\]: .*No space left.*\n" : ""), answer);
    }

    private static void refuses(String line, Benchmark b, String... arguments) throws Exception {
        Answer answer = run(b, arguments);
        boolean isSaid = rank == 0 ? answer.err.matches(line + "\n") : answer.err.isEmpty();
        check(answer.status == 1 && answer.out.isEmpty() && isSaid, String.join(" ", arguments) + ": " + answer);
    }

    private static void checkRefusals() throws Exception {
        Benchmark b = Benchmark.BCAST;
        for (String given : List.of("-x -1", "-x 1.5", "-i 0", "-i 10k", "-i ٣", "-W 0", "-m 0", "-m 4K", "-m :8", "-m 2147483648", "-i 99999999999"))
            refuses("Invalid number \\[" + given.split(" ")[0] + " .*\\]; accepted: a whole number from [01] to \\d+", b, given.split(" "));
        for (String given : List.of("0", "100", "5%%", "nan", "NaN"))
            refuses("Invalid number \\[--until " + given.replace("%%", "%") + "\\]; accepted: PERCENT from 0.001 to 99", b, "--until", given);
        refuses("Invalid number \\[--budget -1\\]; accepted: SECONDS from 1e-06 to 1e\\+06", b, "--budget=-1");
        refuses("No size is from 8 to 4 bytes \\[-m\\]; accepted: .*", b, "-m", "8:4");
        refuses("No size is from 1 to 3 bytes \\[-m\\]; accepted: .*", Benchmark.ALLREDUCE, "-m", "3");
        refuses("Invalid memory \\[-a heap\\]; accepted: buffer, arrays", b, "-a", "heap");
        refuses("Invalid binding \\[--api mpich\\]; accepted: openmpi, native", b, "--api", "mpich");
        refuses("Invalid report \\[--report rows.csv\\]; accepted: table=FILE.txt, csv=FILE.csv, json=FILE.jsonl, .*", b, "--report", "rows.csv");
        refuses("Two reports into one file \\[--report a.csv\\]; .*", b, "--report", "csv=a.csv", "--report", "csv=a.csv");
        refuses("Unrecognized argument \\[--quick\\]; accepted: -m --message-size .* -v --version", b, "--quick");
        refuses("Unrecognized argument \\[-m\\]; accepted: --api -h --help -v --version", Benchmark.HELLO_WORLD, "-m", "1");
        refuses("A value is missing \\[-m\\]; accepted: -m \\[MIN:\\]MAX", b, "-m");
        refuses("An option without a value has one \\[--honest=yes\\]", b, "--honest=yes");
        refuses("A buffer would have \\d+ bytes \\[-m\\]; accepted: up to 2147483639 .*", Benchmark.ALLGATHER, "-m", "2147483647");
        refuses("The ranks have different arguments; accepted: .*", b, rank == ranks - 1 ? new String[] {"-x", "1"} : new String[0]);
        refuses("Open MPI's binding has no nonblocking messages of arrays \\[-a arrays\\]; accepted: buffer", Benchmark.BANDWIDTH_OMPI, "-a", "arrays");
        if (ranks == 2 && !binding.startsArrays())
            refuses("Open MPI's binding has no nonblocking messages of arrays .*--api native", Benchmark.BANDWIDTH, "-a", "arrays");
        for (Benchmark v : List.of(Benchmark.ALLGATHERV, Benchmark.ALLTOALLV, Benchmark.GATHERV, Benchmark.SCATTERV))
            if (binding.largestArrayBlock(ranks) < 65536)
                refuses("Open MPI's binding has too little memory for blocks of arrays of more than \\d+ bytes \\[-a arrays, -m\\]; accepted: .*", v, "-a", "arrays", "-m", "65536");
        for (Benchmark two : List.of(Benchmark.LATENCY, Benchmark.BANDWIDTH, Benchmark.BIBANDWIDTH))
            if (ranks != 2) refuses("This test requires exactly two processes; it was started with " + ranks, two);
        String[] much = {"-m", "1073741824", "-W", "2"};
        if (ranks == 2) refuses("Not enough memory \\[-m, -W\\]; accepted: .*java -Xmx.*", Benchmark.BANDWIDTH, much);
    }

    private static void checkSingleRank() throws Exception {
        for (Benchmark b : Benchmark.values())
            if (b.kind != Benchmark.Kind.STARTUP)
                refuses("This test requires (exactly|at least) two processes; it was started with 1", b);
        check(run(Benchmark.HELLO_WORLD).out.equals("Hi from <0>\n"), "Hi");
    }

    private static int[] sizes(Benchmark b, String... arguments) {
        return Options.parse(b, arguments).sizes();
    }

    private static void checkOptions() throws ClassNotFoundException, NoSuchMethodException {
        for (Benchmark b : Benchmark.values()) Class.forName("org.sonde.osu." + b.program).getMethod("main", String[].class);
        Supplier<String> all = () -> Arrays.toString(sizes(Benchmark.BCAST, "-m", "3:100"));
        check(all.get().equals("[3, 6, 12, 24, 48, 96]"), all.get());
        check(Arrays.equals(sizes(Benchmark.ALLREDUCE, "-m", "5:"), Arrays.copyOf(sizes(Benchmark.ALLREDUCE, "-m", "8:"), 18)), "of floats");
        check(sizes(Benchmark.LATENCY).length == 23 && sizes(Benchmark.BCAST).length == 21 && sizes(Benchmark.REDUCE).length == 19, "defaults");
        for (String row : List.of("LATENCY 8192 10000 1000", "LATENCY 16384 500 100", "BANDWIDTH 8192 10000 1000", "BIBANDWIDTH 524288 500 100",
                "BANDWIDTH_OMPI 1048576 100 50", "BCAST 1048576 500 100", "ALLREDUCE 32768 10000 1000", "ALLREDUCE 65536 500 100")) {
            String[] words = row.split(" ");
            Benchmark b = Benchmark.valueOf(words[0]);
            Benchmark.Counts expected = new Benchmark.Counts(Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            check(Options.parse(b, new String[0]).counts(Integer.parseInt(words[1])).equals(expected), row);
        }
        check(Options.parse(Benchmark.BCAST, new String[] {"-i", "7", "-x", "0"}).counts(1 << 20).equals(new Benchmark.Counts(7, 0)), "given");
    }

    /** Each program once, for a library that counts its calls: on 2 ranks, with windows of 5 messages. */
    private static void runAll(String iterations) throws Exception {
        for (Benchmark b : measuring()) {
            Answer answer = run(b, "-m", "8:8", "-i", iterations, "-x", "1", "-W", "5");
            check(answer.status == 0, b + ": " + answer);
        }
    }

    public static void main(String[] arguments) throws IOException {
        binding = arguments[0].equals(OpenMpiBinding.WORD) ? new OpenMpiBinding() : new NativeBinding();
        try {
            binding.initialize(new String[0]);
            rank = NativeBinding.rank();
            ranks = NativeBinding.size();
            checkOptions();
            if (arguments.length > 2) {
                runAll(arguments[2]);
            } else if (ranks == 1) {
                checkSingleRank();
            } else {
                checkText();
                checkStatistics();
                checkFigures();
                checkContents();
                checkExpected();
                checkEnds();
                checkReports(Path.of(arguments[1]));
                checkRefusals();
            }
            int ofAll = -NativeBinding.least(-failures);
            binding.finalizeMpi();
            System.exit(ofAll == 0 ? 0 : 1);
        } catch (Throwable e) {
            e.printStackTrace();
            NativeBinding.abort();
        }
    }
}
