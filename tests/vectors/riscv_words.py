#!/usr/bin/env python3
"""Writes riscv_words.tsv to stdout: every RISC-V instruction of the baby cores that binutils knows, a few times with
different operands, assembled by riscv64-unknown-elf-as and printed by objdump -M no-aliases."""
import os
import random
import re
import subprocess
import tempfile

MARCH = "rv32imaf_zicsr_zifencei_zba_zbb_zbkb_zfh"
INTEGER = ["zero", "ra", "sp", "gp", "tp"] + [f"t{i}" for i in range(7)] + [f"s{i}" for i in range(12)] + \
          [f"a{i}" for i in range(8)]
FLOAT = [f"ft{i}" for i in range(12)] + [f"fs{i}" for i in range(12)] + [f"fa{i}" for i in range(8)]
# CSRs that binutils calls as the documentation does.
CSRS = ["fcsr", "vstart", "vxsat", "vxrm", "mstatus", "misa", "mcountinhibit", "mhpmevent3", "mhpmevent4", "mcycle",
        "minstret", "mhpmcounter3", "mhpmcounter4h", "mcycleh", "minstreth", "cycle", "instret", "vl", "vtype", "vlenb",
        "cycleh", "instreth", "mhartid"]

# Extension, operands, instructions. Operands: d/s/t x registers, D/S/T/R f registers, i imm12, h shamt, u imm20,
# b branch target, j jump target, c csr, z uimm5, m rounding mode, p q fence sets; the rest is literal.
GROUPS = [
    ("i", "d,u", "lui auipc"),
    ("i", "d,j", "jal"),
    ("i", "d,i(s)", "jalr lb lh lw lbu lhu"),
    ("i", "t,i(s)", "sb sh sw"),
    ("i", "s,t,b", "beq bne blt bge bltu bgeu"),
    ("i", "d,s,i", "addi slti sltiu xori ori andi"),
    ("i", "d,s,h", "slli srli srai"),
    ("i", "d,s,t", "add sub sll slt sltu xor srl sra or and"),
    ("i", "p,q", "fence"),
    ("i", "", "fence.tso ecall ebreak"),
    ("zifencei", "", "fence.i"),
    ("mret", "", "mret"),
    ("m", "d,s,t", "mul mulh mulhsu mulhu div divu rem remu"),
    ("zba", "d,s,t", "sh1add sh2add sh3add"),
    ("zbb", "d,s,t", "andn orn xnor max maxu min minu rol ror"),
    ("zbb", "d,s", "clz ctz cpop sext.b sext.h zext.h orc.b rev8"),
    ("zbb", "d,s,h", "rori"),
    ("zbkb", "d,s,t", "pack"),
    ("zbkb", "d,s", "brev8"),
    ("zicsr", "d,c,s", "csrrw csrrs csrrc"),
    ("zicsr", "d,c,z", "csrrwi csrrsi csrrci"),
    ("zaamo", "d,t,(s)", " ".join(f"amo{op}.w{order}" for op in "add swap xor or and min max minu maxu".split()
                                  for order in ("", ".rl", ".aq", ".aqrl"))),
]
for width, letter, extension in (("w", "s", "f"), ("h", "h", "zfh")):
    GROUPS += [
        (extension, "D,i(s)", f"fl{width}"),
        (extension, "T,i(s)", f"fs{width}"),
        (extension, "D,S,T,Rm", " ".join(f"{op}.{letter}" for op in ("fmadd", "fmsub", "fnmsub", "fnmadd"))),
        (extension, "D,S,Tm", " ".join(f"{op}.{letter}" for op in ("fadd", "fsub", "fmul"))),
        (extension, "D,S,T", " ".join(f"{op}.{letter}" for op in ("fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax"))),
        (extension, "d,S,T", " ".join(f"{op}.{letter}" for op in ("feq", "flt", "fle"))),
        (extension, "d,S", f"fmv.x.{width} fclass.{letter}"),
        (extension, "D,s", f"fmv.{width}.x"),
        (extension, "d,Sm", f"fcvt.w.{letter} fcvt.wu.{letter}"),
        (extension, "D,sm", f"fcvt.{letter}.w fcvt.{letter}.wu"),
    ]
GROUPS += [("zfh", "D,S", "fcvt.s.h"), ("zfh", "D,Sm", "fcvt.h.s")]


def operand(kind, rng, turn):
    def pick(edges, *bounds):
        return str(edges[turn] if turn < len(edges) else rng.randint(*bounds))
    sets = ["".join(c for i, c in enumerate("iorw") if n & (8 >> i)) for n in range(1, 16)]
    makers = {
        "d": lambda: rng.choice(INTEGER), "s": lambda: rng.choice(INTEGER), "t": lambda: rng.choice(INTEGER[1:]),
        "D": lambda: rng.choice(FLOAT), "S": lambda: rng.choice(FLOAT), "T": lambda: rng.choice(FLOAT),
        "R": lambda: rng.choice(FLOAT),
        "i": lambda: pick([0, -1, 2047, -2048], -2048, 2047),
        "h": lambda: pick([0, 31], 0, 31),
        "u": lambda: pick([0, 0xFFFFF, 0x80000], 0, 0xFFFFF),
        "b": lambda: pick([4094, -4096, 0], -2048, 2047),
        "j": lambda: pick([1048574, -1048576, 0], -2048, 2047),
        "c": lambda: rng.choice(CSRS),
        "z": lambda: pick([0, 31], 0, 31),
        "m": lambda: ["", ",rne", ",rtz", ",rdn", ",rup", ",rmm"][turn % 6],
        "p": lambda: rng.choice(sets), "q": lambda: rng.choice(sets),
    }
    if kind not in makers:
        return kind
    text = makers[kind]()
    if kind in "bj":
        return f".{int(text) & ~1:+d}"
    return text


def lines():
    rng = random.Random(1)
    for extension, operands, names in GROUPS:
        for name in names.split():
            count = 6 if "m" in operands or "i" in operands or "b" in operands or "j" in operands else 4
            for turn in range(count if operands else 1):
                yield extension, (name + " " + "".join(operand(kind, rng, turn) for kind in operands)).strip()


def main():
    wanted = list(lines())
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "a.s"), os.path.join(folder, "a.o")
        with open(source, "w", encoding="ascii") as file:
            file.write("\n".join(text for _, text in wanted) + "\n")
        subprocess.run(["riscv64-unknown-elf-as", f"-march={MARCH}", "-mno-relax", source, "-o", binary], check=True)
        listing = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases", binary], check=True,
                                 capture_output=True, text=True).stdout
    found = re.findall(r"^ *([0-9a-f]+):\t([0-9a-f]{8}) +\t(.*)$", listing, re.M)
    assert len(found) == len(wanted), (len(found), len(wanted))
    print("# written by riscv_words.py with GNU binutils; columns: pc, word, extension, text")
    for (pc, word, text), (extension, _) in zip(found, wanted):
        text = re.sub(r" (<.*>|# .*)$", "", text.replace("\t", " ")).strip()
        print(f"0x{int(pc, 16):08x}\t0x{word}\t{extension}\t{text}")


if __name__ == "__main__":
    main()
