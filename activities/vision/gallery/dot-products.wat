;; Dot products of rows of 512 signed bytes with one query of 512 signed 16-bit numbers, eight at a time.
;; The assembled form is in dot-products.ts; test/unit/vision/gallery.test.ts compares the two.
(module
  (memory (export "memory") 1)
  (func (export "dotProducts") (param $rows i32) (param $query i32) (param $count i32) (param $out i32)
    (local $at i32) (local $end i32) (local $row v128) (local $sum v128)
    (local.set $end (i32.add (local.get $query) (i32.const 1024)))
    (block $done
      (loop $nextRow
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $nextSixteen
          (local.set $row (v128.load (local.get $rows)))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s
                  (i16x8.extend_low_i8x16_s (local.get $row))
                  (v128.load (local.get $at)))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_s (local.get $row))
                  (v128.load offset=16 (local.get $at))))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $nextSixteen (i32.lt_u (local.get $at) (local.get $end))))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add
              (i32x4.extract_lane 0 (local.get $sum))
              (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add
              (i32x4.extract_lane 2 (local.get $sum))
              (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $nextRow)))))
