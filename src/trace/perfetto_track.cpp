#include "trace/perfetto_track.hpp"

#include <algorithm>
#include <utility>

#include <protozero/pbf_writer.hpp>

namespace tensim::trace {
namespace {

using protozero::pbf_writer;
using time::Cycle;

// Numbers of fields, by the messages of Perfetto's protos/perfetto/trace.
namespace trace_fields {
constexpr protozero::pbf_tag_type packet = 1;
}
namespace packet_fields {
constexpr protozero::pbf_tag_type timestamp = 8;
constexpr protozero::pbf_tag_type sequence = 10;
constexpr protozero::pbf_tag_type track_event = 11;
constexpr protozero::pbf_tag_type interned = 12;
constexpr protozero::pbf_tag_type sequence_flags = 13;
constexpr protozero::pbf_tag_type defaults = 59;
constexpr protozero::pbf_tag_type descriptor = 60;
constexpr std::uint32_t flag_cleared = 1;
constexpr std::uint32_t flag_needs_names = 2;
}  // namespace packet_fields
namespace event_fields {
constexpr protozero::pbf_tag_type annotation = 4;
constexpr protozero::pbf_tag_type type = 9;
constexpr protozero::pbf_tag_type name = 10;
constexpr protozero::pbf_tag_type track = 11;
constexpr protozero::pbf_tag_type value = 30;
constexpr protozero::pbf_tag_type flow = 47;
constexpr protozero::pbf_tag_type last_flow = 48;
}  // namespace event_fields
namespace annotation_fields {
constexpr protozero::pbf_tag_type name = 1;
constexpr protozero::pbf_tag_type text = 17;
}  // namespace annotation_fields
namespace interned_fields {  // of each: its number and its text
constexpr protozero::pbf_tag_type event_name = 2;
constexpr protozero::pbf_tag_type annotation_name = 3;
constexpr protozero::pbf_tag_type annotation_text = 29;
constexpr protozero::pbf_tag_type number = 1;
constexpr protozero::pbf_tag_type text = 2;
}  // namespace interned_fields
namespace descriptor_fields {
constexpr protozero::pbf_tag_type uuid = 1;
constexpr protozero::pbf_tag_type name = 2;
constexpr protozero::pbf_tag_type process = 3;
constexpr protozero::pbf_tag_type parent = 5;
constexpr protozero::pbf_tag_type counter = 8;
constexpr protozero::pbf_tag_type child_ordering = 11;
constexpr protozero::pbf_tag_type rank = 12;
constexpr protozero::pbf_tag_type process_number = 1;
constexpr protozero::pbf_tag_type process_name = 6;
constexpr std::int32_t ordered_by_rank = 3;
}  // namespace descriptor_fields

/// TrackEvent::Type, as a field.
constexpr std::string_view slice_begins("\x48\x01", 2);
constexpr std::string_view slice_ends("\x48\x02", 2);
constexpr std::string_view is_instant("\x48\x03", 2);
constexpr std::string_view is_value("\x48\x04", 2);
static_assert(0x48 == (event_fields::type << 3U));

// What marks say of themselves, beside their name.
constexpr std::uint64_t line_name = 1;
constexpr std::uint64_t reason_name = 2;

bool has_line(const Mark& mark) {
  return mark.kind != Mark::Kind::text;
}
bool has_reason(const Mark& mark) {
  return mark.kind == Mark::Kind::held || mark.kind == Mark::Kind::latched || mark.kind == Mark::Kind::core_held;
}
/// Of mark number `number`, the numbers of its texts.
std::uint64_t line_text(std::uint32_t number) {
  return 2 * std::uint64_t{number} + 1;
}
std::uint64_t reason_text(std::uint32_t number) {
  return 2 * std::uint64_t{number} + 2;
}

void add_annotation(pbf_writer& event, std::uint64_t name, std::uint64_t text) {
  pbf_writer annotation(event, event_fields::annotation);
  annotation.add_uint64(annotation_fields::name, name);
  annotation.add_uint64(annotation_fields::text, text);
}

void add_interned(pbf_writer& interned, protozero::pbf_tag_type field, std::uint64_t number, const std::string& text) {
  pbf_writer entry(interned, field);
  entry.add_uint64(interned_fields::number, number);
  entry.add_string(interned_fields::text, text);
}

}  // namespace

std::size_t PerfettoTrack::HashOfMark::operator()(const Mark& mark) const {
  std::uint64_t hash = std::uint64_t{mark.word} << 32U | mark.origin;
  hash ^= static_cast<std::uint64_t>(mark.kind) << 56U ^ std::uint64_t{mark.reason} << 48U ^
          std::uint64_t{mark.agent} << 40U ^ std::uint64_t{mark.is_from_brisc} << 44U;
  hash *= 0x9E37'79B9'7F4A'7C15U;
  return static_cast<std::size_t>(hash ^ hash >> 32U);
}

PerfettoTrack::PerfettoTrack(const PerfettoLimits& limits, std::uint32_t number, std::string name, Kind kind)
    : limits_(limits), number_(number), name_(std::move(name)), kind_(kind) {
  pbf_writer fields(sequence_);
  fields.add_uint32(packet_fields::sequence, number_);
  fields.add_uint32(packet_fields::sequence_flags, packet_fields::flag_needs_names);
}

std::uint32_t PerfettoTrack::find(const Mark& mark) {
  Recent& recent = recent_[HashOfMark()(mark) % recent_count];
  if (recent.number != ~0U && recent.mark == mark) return recent.number;
  const auto [known, is_new] = numbers_.try_emplace(mark, static_cast<std::uint32_t>(known_.size()));
  if (is_new) {
    Known added{.mark = mark};
    pbf_writer event(added.body);
    event.add_uint64(event_fields::name, known->second + std::uint64_t{1});
    if (has_line(mark)) add_annotation(event, line_name, line_text(known->second));
    if (has_reason(mark)) add_annotation(event, reason_name, reason_text(known->second));
    known_.push_back(std::move(added));
  }
  recent = {mark, known->second};
  return known->second;
}

std::uint32_t PerfettoTrack::number_of(const std::string& text) {
  const auto [known, is_new] = text_numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(text);
  return known->second;
}

/// Most of what a file is made of: the lengths are known, so nothing is moved afterwards.
void PerfettoTrack::add(Cycle cycle, std::string_view type, std::string_view body, const Flows& flows) {
  if (is_too_large_) return;
  std::array<char, 64> of_flows{};  // four with two bytes before each
  std::size_t flows_size = 0;
  const auto add_flow = [&](protozero::pbf_tag_type field, std::uint64_t flow) {
    if (flow == 0) return;
    const auto tag = static_cast<std::uint64_t>(field << 3U | 1U);
    flows_size += static_cast<std::size_t>(protozero::add_varint_to_buffer(of_flows.data() + flows_size, tag));
    for (unsigned byte = 0; byte < 8; ++byte)
      of_flows[flows_size++] = static_cast<char>(flow >> (8 * byte) & 0xFFU);
  };
  add_flow(event_fields::flow, flows.begins);
  add_flow(event_fields::flow, flows.passes);
  for (const std::uint64_t flow : flows.ends)
    add_flow(event_fields::last_flow, flow);
  const std::size_t event_size = type.size() + body.size() + flows_size;
  const std::size_t packet_size = 1 + static_cast<std::size_t>(protozero::length_of_varint(cycle)) + sequence_.size() +
                                  1 + static_cast<std::size_t>(protozero::length_of_varint(event_size)) + event_size;
  constexpr unsigned varint = 0;
  constexpr unsigned bytes = 2;
  bytes_.push_back(static_cast<char>(trace_fields::packet << 3U | bytes));
  protozero::add_varint_to_buffer(&bytes_, packet_size);
  bytes_.push_back(static_cast<char>(packet_fields::timestamp << 3U | varint));
  protozero::add_varint_to_buffer(&bytes_, cycle);
  bytes_ += sequence_;
  bytes_.push_back(static_cast<char>(packet_fields::track_event << 3U | bytes));
  protozero::add_varint_to_buffer(&bytes_, event_size);
  bytes_ += type;
  bytes_ += body;
  bytes_.append(of_flows.data(), flows_size);
  if (bytes_.size() <= limits_.bytes) return;
  is_too_large_ = true;  // by itself already: it need not be kept
  bytes_ = {};
}

void PerfettoTrack::begin(Cycle from, Cycle until, const Mark& mark, const Flows& flows) {
  if (!is_wanted(from, until)) return;
  add(std::max(from, limits_.from), slice_begins, known_[find(mark)].body, flows);
}

void PerfettoTrack::end(Cycle from, Cycle until) {
  if (is_wanted(from, until)) add(std::min(until, limits_.to), slice_ends, {}, {});
}

void PerfettoTrack::instant(Cycle cycle, const Mark& mark, const Flows& flows) {
  if (is_wanted(cycle, cycle)) add(cycle, is_instant, known_[find(mark)].body, flows);
}

// ---- values ----

void PerfettoTrack::value(Cycle cycle, std::int64_t value) {
  const Cycle from = std::max(cycle, limits_.from);
  if (from >= limits_.to) return;
  if (has_value_ && value_from_ != from) write_value();
  has_value_ = true;
  value_from_ = from;
  value_ = value;
}

void PerfettoTrack::write_value() {
  has_value_ = false;
  if (is_written_ && written_ == value_) return;
  is_written_ = true;
  written_ = value_;
  std::string body;
  pbf_writer(body).add_int64(event_fields::value, value_);
  add(value_from_, is_value, body, {});
}

// ---- the end ----

std::string PerfettoTrack::finish(std::uint64_t parent, const Name& name) {
  if (has_value_) write_value();
  std::string written;
  pbf_writer trace(written);
  {
    pbf_writer packet(trace, trace_fields::packet);
    pbf_writer descriptor(packet, packet_fields::descriptor);
    descriptor.add_uint64(descriptor_fields::uuid, number_);
    descriptor.add_uint64(descriptor_fields::parent, parent);
    descriptor.add_string(descriptor_fields::name, name_);
    if (kind_ == Kind::values) descriptor.add_message(descriptor_fields::counter, std::string());
    descriptor.add_int32(descriptor_fields::rank, static_cast<std::int32_t>(number_));
  }
  {
    pbf_writer packet(trace, trace_fields::packet);
    packet.add_uint32(packet_fields::sequence, number_);
    packet.add_uint32(packet_fields::sequence_flags, packet_fields::flag_cleared);
    {
      pbf_writer defaults(packet, packet_fields::defaults);
      pbf_writer event(defaults, packet_fields::track_event);
      event.add_uint64(event_fields::track, number_);
    }
    pbf_writer interned(packet, packet_fields::interned);
    add_interned(interned, interned_fields::annotation_name, line_name, "line");
    add_interned(interned, interned_fields::annotation_name, reason_name, "reason");
    for (std::uint32_t number = 0; number < known_.size(); ++number) {
      const Mark& mark = known_[number].mark;
      const MarkText text = mark.kind == Mark::Kind::text ? MarkText{.name = texts_[mark.word]} : name(mark);
      add_interned(interned, interned_fields::event_name, number + std::uint64_t{1}, text.name);
      if (has_line(mark)) add_interned(interned, interned_fields::annotation_text, line_text(number), text.line);
      if (has_reason(mark)) add_interned(interned, interned_fields::annotation_text, reason_text(number), text.reason);
    }
  }
  return written += bytes_;
}

std::string perfetto_process(std::uint64_t uuid, std::uint32_t number, const std::string& name) {
  std::string written;
  pbf_writer trace(written);
  pbf_writer packet(trace, trace_fields::packet);
  pbf_writer descriptor(packet, packet_fields::descriptor);
  descriptor.add_uint64(descriptor_fields::uuid, uuid);
  descriptor.add_int32(descriptor_fields::child_ordering, descriptor_fields::ordered_by_rank);
  pbf_writer process(descriptor, descriptor_fields::process);
  process.add_int32(descriptor_fields::process_number, static_cast<std::int32_t>(number));
  process.add_string(descriptor_fields::process_name, name);
  process.commit();
  descriptor.commit();
  packet.commit();
  return written;
}

}  // namespace tensim::trace
